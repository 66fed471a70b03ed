"""The rules in words, as any options have them: the source of the command `rules` and of the page.

What these sentences say is done in the modules beside this package and in `arena.phases`; they cite
the same numbers.
"""

from arena.rules.words.documents import DOCUMENTS, PRESET_WORDS, Document, PresetWords, cited
from arena.rules.words.markdown import page
from arena.rules.words.options import MEANINGS, Option, as_yaml, differences, options
from arena.rules.words.parts import Choice, Rule, Section
from arena.rules.words.sections import in_words, instead

__all__ = [
    "DOCUMENTS",
    "MEANINGS",
    "PRESET_WORDS",
    "Choice",
    "Document",
    "Option",
    "PresetWords",
    "Rule",
    "Section",
    "as_yaml",
    "cited",
    "differences",
    "in_words",
    "instead",
    "options",
    "page",
]
