"""Stop words and frequent words, by language.

`STOP_WORDS` are folded and are left out of the search index: they are part of stored data. `QUESTION_WORDS` are other
words of a question that say nothing of its subject, folded: the index has them, and they are not searched for.
`FREQUENT_WORDS` keep their accents and tell languages apart.
"""

_ENGLISH = """
a about above after again against all also am an and any are aren as at be because been before being below between
both but by can cannot could couldn did didn do does doesn doing don down during each either else etc ever every few
for from further get gets give given had hadn has hasn have haven having he hence her here hers herself him himself
his how however i if in into is isn it its itself just let like made make many may me might more most much must my
myself neither no nor not now of off often on once one only onto or other others our ours ourselves out over own per
please same shall she should shouldn since so some such tell than that the their theirs them themselves then there
therefore these they this those though through thus to too toward towards under until up upon very via was wasn we
were weren what when where whether which while who whom whose why will with within without would wouldn yes yet you
your yours yourself yourselves
"""

_FRENCH = """
a afin ai ainsi alors apres as au aucun aucune aupres auquel aura aurait auraient aurez auront aussi autre autres aux
auxquelles auxquels avaient avait avant avec avez avoir avons ayant beaucoup bien car ce ceci cela celle celles
celui cependant ces cet cette ceux chacun chacune chaque chez ci comme comment d dans de depuis des desquelles
desquels donc dont du duquel durant elle elles en encore entre es est et etaient etais etait etant etes etre eu eux
faire fait faut font furent fut ici il ils j je jusque l la laquelle le lequel les lesquelles lesquels leur leurs lors
lorsque lui ma mais me meme memes mes mien mienne moi moins mon n ne ni nos notre nous on ont or ou par parce parmi pas
pendant peu peut peuvent peux plus plusieurs pour pourquoi pouvez puis puisque qu quand que quel quelle quelles quels
quelque quelques qui quoi quoique s sa sans se selon sera serait seraient seront ses si sien sienne soi soient soit
sommes son sont sous suis sur t ta tandis tel telle telles tels tes toi ton tous tout toute toutes tres tu un une vers
veut veux voici voila vos votre vous y
"""

_GERMAN = """
aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis bist da damit dann das dass dem den der
deren des dessen die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines er es
etwas euch euer fur gegen hab habe haben hat hatte hatten hier hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in
ist ja jede jedem jeden jeder jedes kann kein keine keinem keinen keiner konnen man mein meine mit muss mussen nach
nicht noch nun nur ob oder ohne sehr sein seine seinem seinen seiner sich sie sind so soll sollen sondern uber um und
uns unser unter viel vom von vor wann war waren warum was weil welche welchem welchen welcher welches wenn wer werden
wie wieder wir wird wo wurde wurden zu zum zur zwischen
"""

_SPANISH = """
a al algo alguna algunas alguno algunos ante antes aquel aquella como con contra cual cuales cuando cuanto de del desde
donde dos durante e el ella ellas ellos en entre era eran es esa esas ese eso esos esta estaba estan estar estas este
esto estos fue fueron ha haber habia han hasta hay la las le les lo los mas me mi mis mucho muy nada ni no nos nosotros
nuestra nuestro o os otra otras otro otros para pero poco por porque puede pueden que quien quienes se sea segun ser si
sido sin sobre son su sus tambien tanto te tiene tienen toda todas todo todos tu tus un una uno unos unas usted ustedes
y ya yo
"""

_ITALIAN = """
a ad ai al alla alle allo agli anche ancora aveva avere c che chi ci come con contro cosa cui da dagli dai dal dalla
dalle dallo degli dei del dell della delle dello di dopo dove e ed era erano essere fra gli ha hanno ho i il in io la le
lei li lo loro lui ma mentre mi mia mio molto ne negli nei nel nella nelle nello no noi non nostra nostro o ogni per
perche piu poi puo quale quali quando quanto quella quelle quelli quello questa queste questi questo qui se sei senza si
sia sono sta stata stati stato su sua sugli sui sul sulla sulle sullo suo suoi tra tu tutti tutto un una uno vi voi
"""

_PORTUGUESE = """
a ainda ao aos aquela aquele aquilo as ate com como contra da das de dela dele deles depois do dos e ela elas ele eles
em entre era eram essa essas esse esses esta estao estar estas estava este estes eu foi foram ha isso isto ja la lhe
lhes mais mas me mesmo meu meus minha muito muitos na nao nas nem no nos nossa nosso num numa o onde os ou para pela
pelas pelo pelos pode podem por porque qual quais quando quanto que quem se sem ser sera seu seus so sobre sao sua suas
tambem te tem tinha todo todos toda todas tu um uma umas uns voce voces
"""

_DUTCH = """
aan al alle als altijd andere ben bij dan dat de der deze die dit doch doen door dus een en er ge geen haar had hadden
heb hebben heeft hem het hier hij hoe hun ik in is ja je jij kan kon kunnen maar me meer men met mij mijn moet moeten na
naar niet niets nog nu of om omdat onder ons onze ook op over reeds te tegen toch toen tot u uit uw van veel voor waar
waarom wanneer want waren was wat we weer welke werd werden wie wij wil worden wordt zal ze zei zelf zich zij zijn zo
zonder zou zouden
"""

STOP_WORDS: dict[str, frozenset[str]] = {
    "en": frozenset(_ENGLISH.split()),
    "fr": frozenset(_FRENCH.split()),
    "de": frozenset(_GERMAN.split()),
    "es": frozenset(_SPANISH.split()),
    "it": frozenset(_ITALIAN.split()),
    "pt": frozenset(_PORTUGUESE.split()),
    "nl": frozenset(_DUTCH.split()),
}
ENGLISH_OR_FRENCH = STOP_WORDS["en"] | STOP_WORDS["fr"]

_QUESTION = """
combien quiconque dois doit devons devez doivent devais devait devaient devra devront devrais devrait devrions devriez
devraient fallait faudra faudrait pouvons pouvais pouvait pouvaient pourrai pourra pourrons pourrez pourront pourrais
pourrait pourrions pourriez pourraient dit disent
ought say says whatever whichever whoever
"""
QUESTION_WORDS = frozenset(_QUESTION.split())

_FREQUENT = {
    "en": "the of and to in is that for with as was by are this be from which it not or on at have has their its",
    "fr": "le la les de des du et est une dans que qui pour par sur au aux avec ce cette sont ne pas ou se il",
    "de": "der die das und ist nicht ein eine den dem des mit von für auf zu im auch sich als bei werden wird oder",
    "es": "el los las del una que y en por con para es se su como más pero al lo son este esta fue han ser entre",
    "it": "il gli di che è per una con del della dei nel sono non alla anche come le da più questo questa si ha lo",
    "pt": "o os as do da dos das que em um uma para com não por mais é no na ao se foi são pela pelo como seu sua",
    "nl": "de het een van en in is dat op te zijn met voor niet aan er om ook als bij door naar maar dit wordt",
}
# The most frequent words of prose.
FREQUENT_WORDS = {code: tuple(words.split()) for code, words in _FREQUENT.items()}
