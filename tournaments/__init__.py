"""Many tables: tournament files, schedules, the runner, the store, ratings and commands."""
