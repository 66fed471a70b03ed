"""What finished matches say of skill: TrueSkill in their order, strengths by all at once."""
