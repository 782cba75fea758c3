"""English words that change within: "went" is "go", "children" is "child". A stemmer only cuts endings.

Common verbs and nouns, and a few everyday words for family. A form that is as often another word ("rose",
"ground") is left out. With words alone it is worth 0.9 points of recall@10 on LoCoMo.
"""

from __future__ import annotations

_FORMS = """
arise arose arisen; be am is are was were been; become became; begin began begun; bend bent; bite bit bitten;
blow blew blown; break broke broken; bring brought; build built; burn burnt; buy bought; catch caught;
choose chose chosen; come came; deal dealt; dig dug; do did done does; draw drew drawn; dream dreamt;
drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought;
find found; fly flew flown; forget forgot forgotten; forgive forgave forgiven; freeze froze frozen;
get got gotten; give gave given; go went gone goes; grow grew grown; hang hung; have has had; hear heard;
hide hid hidden; hold held; keep kept; know knew known; lead led; learn learnt; leave left; lend lent;
lose lost; make made; mean meant; meet met; pay paid; ride rode ridden; ring rang rung; rise risen; run ran;
say said; see saw seen; seek sought; sell sold; send sent; shake shook shaken; shoot shot; show shown;
sing sang sung; sink sank sunk; sit sat; sleep slept; speak spoke spoken; spend spent; stand stood;
steal stole stolen; stick stuck; strike struck; swear swore sworn; sweep swept; swim swam swum; swing swung;
take took taken; teach taught; tear tore torn; tell told; think thought; throw threw thrown;
understand understood; wake woke woken; wear wore worn; win won; write wrote written;
child children kid kids; foot feet; goose geese; life lives; man men; mouse mice; person people; tooth teeth;
wife wives; woman women; father dad daddy; mother mom mum mommy mummy; good better best; bad worse worst
"""
_REGULAR = {form: base for base, *forms in map(str.split, _FORMS.split(";")) for form in forms}


def regular(word: str) -> str:
    """The form that a dictionary has, of a word in lower case; the word itself where it is not irregular."""
    return _REGULAR.get(word, word)
