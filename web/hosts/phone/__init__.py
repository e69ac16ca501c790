"""A phone without a computer: the application in a worker of its browser, with the store on the phone's disk.

Python runs by Pyodide, without threads. `shell` has the scripts around it, `site` makes the static folder of all this.
"""
