"""The model that is built in: no key, no network, no randomness. It files and finds; it does not reason.

The way through it: `prompt` reads the request, `reading` says what the person's message is, `turn` decides
the next step (`filing`, `room`, `searching`), `answers` words it, `model` streams it.

Underneath: `english` and `chinese` say what a sentence states; `lexicon`, `terms` and `meaning` say what a
line is about, in both languages at once; `superseding` finds the line that a fact replaces, `questions` and
`matching` the lines that answer.

A fact is filed in the person's own words, one line each: "I" and 我 are the person.
"""
