"""Folders of the user: their files, their tree, the search in them and changes of them."""
