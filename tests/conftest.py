"""Settings of all tests."""

from hypothesis import HealthCheck, settings

# A machine that is busy is no failure.
settings.register_profile(
    "any_machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any_machine")
