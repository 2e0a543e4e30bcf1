"""Phrases about the conversation itself and not about the world, folded, without punctuation, separated by commas."""

import re

# Polite phrases, by language: a message of nothing else needs no search.
GREETINGS = {
    "en": """
hi, hello, hey, howdy, greetings, good morning, good afternoon, good evening, good day, welcome, nice to meet you, how
are you, how are you doing, how are you today, how are you doing today, how is it going, hows it going, whats up, are
you ok
""",
    "fr": """
bonjour, bonsoir, salut, coucou, enchante, enchantee, bienvenue, comment ca va, comment vas tu, comment allez vous,
comment tu vas, comment vous allez, ca va, ca va bien, quoi de neuf, tu vas bien, vous allez bien, comment vas tu
aujourd hui, comment allez vous aujourd hui
""",
}
FAREWELLS = {
    "en": """
good night, bye, bye bye, good bye, goodbye, see you, see you later, see you soon, see you tomorrow, take care, have a
nice day, have a good day, have a great day, have a good one, have a nice evening, have a good weekend
""",
    "fr": """
bonne journee, bonne soiree, bonne nuit, bon apres midi, bon week end, au revoir, a bientot, a plus, a plus tard, a
demain, adieu
""",
}
THANKS = {
    "en": """
thank you, thanks, thank, thx, ty, many thanks, thanks a lot, cheers, much appreciated, i appreciate it, i appreciate
that, i appreciate your help
""",
    "fr": """
merci, merci beaucoup, merci bien, merci infiniment, merci mille fois, merci encore, mille mercis, grand merci, un
grand merci, je vous remercie, je te remercie
""",
}
# Questions about the assistant and its abilities.
ABOUT_US = {
    "en": """
are you there, are you real, are you human, are you a bot, are you a robot, are you a human, are you an ai, who are
you, what are you, what is your name, whats your name, do you have a name, who made you, who built you, who created
you, what can you do, what can you do for me, how can you help me, can you help me, i need help, help me, help, tell
me a joke, tell me another joke, i love you
""",
    "fr": """
qui es tu, qui etes vous, tu es qui, vous etes qui, comment tu t appelles, comment t appelles tu, comment vous appelez
vous, quel est ton nom, quel est votre nom, que sais tu faire, que peux tu faire, que savez vous faire, que pouvez
vous faire, que peux tu faire pour moi, que pouvez vous faire pour moi, peux tu m aider, pouvez vous m aider, tu peux
m aider, vous pouvez m aider, aide moi, aidez moi, j ai besoin d aide, raconte moi une blague, raconte une blague,
racontez moi une blague, es tu un robot, es tu humain, es tu une ia, es tu la
""",
}
AGREEMENT = {
    "en": """
ok, okay, alright, all right, fine, good, great, perfect, excellent, awesome, wonderful, amazing, brilliant, nice,
cool, super, lovely, fantastic, interesting, wow, got it, i got it, i see, understood, i understand, sounds good, makes
sense, that makes sense, no problem, no worries, sure, yes, yeah, yep, no, nope, please, sorry, oops, never mind,
nevermind, good job, great job, well done, nice work, great work, great answer, good answer, lol, haha, thats all,
thats it, thats great, thats good, thats perfect, thats fine, thats helpful, thats very helpful, thats enough, that is
all, that is great, that is good, that is perfect, that is helpful, that was helpful, that was very helpful, that was
great, you are great, you are the best, you are welcome, you are very helpful, for your help, for the help, with your
help, for all your help, for your answer, for the answer, for that, for this, for now, for everything, again, there,
everyone, so much, very much, a lot, my friend, then, and, oh, well, now
""",
    "fr": """
de rien, il n y a pas de quoi, d accord, entendu, compris, j ai compris, je comprends, je vois, tres bien, bien,
parfait, genial, formidable, magnifique, chouette, impeccable, nickel, ca marche, bravo, bien joue, oui, non, ouais, s
il vous plait, s il te plait, stp, svp, pardon, desole, desolee, excusez moi, excuse moi, tant pis, c est bon, c est
parfait, c est tout, c est genial, c est super, c est tres bien, c est tres utile, c est note, c est compris, c est
clair, pour votre aide, pour ton aide, pour l aide, pour votre reponse, pour ta reponse, pour la reponse, pour cette
reponse, pour tout, a vous, a toi, a tous, tout le monde, beaucoup, mon ami, alors, et, ah, eh bien, bon, mdr
""",
}
POLITE = ",".join(words for each in (GREETINGS, FAREWELLS, THANKS, ABOUT_US, AGREEMENT) for words in each.values())

# Words that may stand before a request.
PLEASE = """
please, pls, ok, okay, so, now, and, then, thanks, thank you, can you, could you, would you, will you, just, i would
like you to, i want you to, i need you to,
merci, alors, et, maintenant, bon, svp, stp, s il te plait, s il vous plait, peux tu, pourrais tu, pouvez vous,
pourriez vous, tu peux, vous pouvez, tu pourrais, vous pourriez, veux tu, voulez vous, me, m, nous
"""

# Requests to change the last answer; the first group needs no object.
AGAIN = """
translate, rephrase, reword, rewrite, paraphrase, repeat, shorten, simplify, reformulate, try again,
traduis, traduisez, traduire, reformule, reformulez, reformuler, repete, repetez, repeter, raccourcis, raccourcissez,
raccourcir, simplifie, simplifiez, simplifier, recommence, recommencez, reecris, reecrivez, reecrire
"""
REDO = """
condense, reformat, translate for me, traduis moi, traduisez moi, traduire pour moi, redis, redites, redire, redis moi
"""
# These ask for new content, unless they name the answer or a manner.
TELL = """
explain, say, put, write, format, give me, make, explain to me,
dis, dites, dis moi, dites moi, explique, expliquez, explique moi, expliquez moi, mets, mettez, ecris, ecrivez
"""
SUM_UP = """
summarize, summarise, sum up, recap, expand, expand on, explain,
resume, resumez, resumer, recapitule, recapitulez, explique, expliquez, developpe, developpez
"""

# Names for the last answer.
ANSWER = """
your answer, your last answer, your previous answer, your first answer, the answer, the last answer, the previous
answer, the above answer, your reply, your last reply, your response, your last response, your previous response, your
message, your last message, what you said, what you just said, what you wrote, what you just wrote, our conversation,
this conversation, the conversation, our chat, this chat, our discussion, this discussion, the conversation so far,
our conversation so far,
ta reponse, ta derniere reponse, ta reponse precedente, ta premiere reponse, votre reponse, votre derniere reponse,
votre reponse precedente, la reponse, la derniere reponse, la reponse precedente, ton message, ton dernier message,
votre message, ce que tu viens de dire, ce que vous venez de dire, ce que tu as dit, ce que vous avez dit, notre
conversation, cette conversation, la conversation, notre discussion, cette discussion
"""
IT = "it, this, that, these, them, everything, ca, cela, ceci, le, la, les, l, tout, tout ca, tout cela"

LANGUAGE = """
english, french, german, spanish, italian, portuguese, dutch, arabic, chinese, japanese, russian, polish, turkish,
anglais, francais, allemand, espagnol, italien, portugais, neerlandais, arabe, chinois, japonais, russe, polonais,
turc
"""
# Manners of saying it again; a star stands for any one word.
MANNER = """
again, please, for me, to me, once more, one more time, differently, briefly, in other words, instead, in simple
words, in simpler words, in plain words, in simple terms, in simpler terms, in plain terms, in your own words, in
plain language, in simple language, in fewer words, in a list, in a table, in one sentence, in a sentence, in a few
words, in two *, in three *, in five *, in one *, as a list, as a table, as an email, as a letter, as a tweet, as
bullet points, in bullet points, as a poem, like i m five, like i am five, like i m 5, for a child, for a beginner,
for a five year old, shorter, longer, simpler, clearer, better, more *, less *, a bit *, a little *, a bit more *, a
little more *, much *, a list, a table,
encore, encore une fois, une fois de plus, s il te plait, s il vous plait, stp, svp, pour moi, autrement, brievement,
simplement, plus *, moins *, un peu plus *, un peu moins *, en d autres mots, en d autres termes, avec d autres mots,
differemment, en mots simples, en termes simples, en termes plus simples, avec des mots simples, avec des mots plus
simples, en une phrase, en deux *, en trois *, en cinq *, en quelques *, en un mot, sous forme de liste, sous forme de
tableau, sous forme de lettre, comme une liste, comme un tableau, comme si j avais cinq ans, comme si j avais 5 ans
"""

# Manners that may be a whole message.
ALONE = """
again, once more, one more time, differently, in other words, in simple words, in simpler words, in simple terms, in
plain words, shorter, longer, simpler, clearer, a bit shorter, a little shorter, much shorter, more briefly, more
simply, in one sentence, in a few words, as a list, as a table, as bullet points,
encore une fois, autrement, plus court, plus long, plus simple, plus clair, plus bref, plus simplement, plus
clairement, plus brievement, un peu plus court, un peu plus simple, en d autres mots, en d autres termes, en termes
simples, en une phrase, sous forme de liste, sous forme de tableau
"""

# Whole messages about the conversation itself.
ABOUT = """
continue, go on, keep going, carry on, what did i ask, what did i ask you, what did i just ask, what did i just ask
you, what did i ask before, what did i ask first, what did i say, what did you say, what did you just say, what did we
discuss, what did you mean, what did you mean by that, what did we talk about, what was my question, what was my first
question, what was my last question, what was my previous question, what was your answer, what was your last answer,
what are we talking about, what were we talking about,
continuez, vas y, allez y, qu ai je demande, qu est ce que j ai demande, qu est ce que j ai dit, qu as tu dit, qu est
ce que tu as dit, qu avez vous dit, quelle etait ma question, quelle etait ma premiere question, quelle etait ma
derniere question, quelle etait ta reponse, quelle etait votre reponse, de quoi parlions nous, de quoi on parlait, de
quoi avons nous parle
"""


def join_alternatives(*listed: str) -> str:
    """Return a pattern for any one of the phrases, the longer before the shorter."""
    phrases = {" ".join(phrase.split()) for phrase in ",".join(listed).split(",") if phrase.strip()}
    spelt = (re.escape(phrase).replace(r"\*", r"\w+") for phrase in sorted(phrases, key=lambda p: (-len(p), p)))
    return f"(?:{'|'.join(spelt)})"
