"""Never writes anything."""

import time

time.sleep(60)
