"""The site: the page of the server as static files, its Python in a worker of the browser."""
