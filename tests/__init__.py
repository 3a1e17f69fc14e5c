"""The tests of Ruleloom: a folder for each package, then what is shipped, the pages, laws and attacks."""
