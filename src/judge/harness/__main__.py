"""Runs a judging script against a simulator at the other end of two pipes.

Called as `python -u <this folder> <script>`. Standard input and output are the channel: one JSON object per line. They are moved
away before the script is read, so that nothing the script prints, and nothing its subprocesses write, can reach the channel.
"""

from __future__ import annotations

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

if __name__ == "__main__":
    sys.path.insert(0, HERE)
    import sim_channel
    import sim_judge

    # The script finds its own folder, not these modules.
    sys.path[:] = [os.getcwd(), *(path for path in sys.path if os.path.abspath(path) != HERE)]
    sys.exit(sim_judge.run(sim_channel.Channel.take_over(), sys.argv[1]))
