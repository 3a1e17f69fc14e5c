"""Where each name is declared and used, and how it gets another one."""
