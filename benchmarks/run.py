"""Run all benchmarks of `make bench`: reading a folder of PDFs, locating in them, search and answers as the index
grows, pages of an invented web, the files of a project, the cost of accounts, and the cost of a command that asks
one question.

python benchmarks/run.py FOLDER
"""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent

if __name__ == "__main__":
    if len(sys.argv) != 2 or not sys.argv[1] or not any(Path(sys.argv[1]).rglob("*.pdf")):
        sys.exit("Say which folder of PDFs to measure with: make bench PDFS=folder")
    subprocess.run([sys.executable, HERE / "ingest.py", sys.argv[1]], check=True)
    print(flush=True)
    subprocess.run([sys.executable, HERE / "locate_speed.py", sys.argv[1]], check=True)
    print(flush=True)
    subprocess.run([sys.executable, HERE / "search_speed.py"], check=True)
    print(flush=True)
    subprocess.run([sys.executable, HERE / "answer_speed.py"], check=True)
    print(flush=True)
    subprocess.run([sys.executable, HERE / "verdict_speed.py"], check=True)
    print(flush=True)
    subprocess.run([sys.executable, HERE / "web_speed.py"], check=True)
    print(flush=True)
    subprocess.run([sys.executable, HERE / "project_speed.py"], check=True)
    print(flush=True)
    subprocess.run([sys.executable, HERE / "accounts_cost.py"], check=True)
    print(flush=True)
    subprocess.run([sys.executable, HERE / "start_up.py"], check=True)
