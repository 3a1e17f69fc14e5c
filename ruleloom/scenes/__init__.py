"""What lies on a table at one moment, as one viewer may know it: drawn by the terminal and by pages."""
