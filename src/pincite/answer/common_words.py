"""Everyday words of English and French, folded: they identify nobody, so they may leave the machine.

Stop words and the names of months are everyday words too, and come from `text`.
"""

from pincite.text.dates import MONTH_NAMES
from pincite.text.folding import fold_accents
from pincite.text.stopwords import STOP_WORDS

_ENGLISH = """
able access according account across action active actually add advice advise age ago agree almost alone along already
although always among amount analyse analysis answer answers anyone anything appear apply area around ask asked author
available away back bad based basic become began begin best better big bit book brief briefly bring build bullet
business busy call called came care careful case cause certain chance change chapter check child children choose
citation cite city clear clearly close cold common company compare complete complex concise consider contain content
context continue copy correct cost country couple course create current daily data date day days deal decide deep depth
describe detail detailed details difference different difficult direct directly discuss document documents done draft
early easy edit effect email end english enjoy enough especially even event everyone everything evidence exact exactly
example examples expect experience expert expertise explain explained explanation face fact facts fairly false family
far fast favourite feel field figure figures file find fine first focus follow following form formal format found free
french friend friendly full fun general generally goal good great group grow guide half hand happen happy hard hear
help helpful high home hope hour hours house idea important include including inform information informal instead
interest interested interesting issue item job join journal keep key kind know knowledge language large last late later
law lead learn learning least leave left less level life likely limit line link list listed little live lived living
local long longer look looking lot love low main making matter maybe mean means measure method mind minute minutes
mobile model modern moment money month months morning mostly move name names nature near need needs never new news next
nice night normal note notes nothing number numbers offer office official old open opinion option order original page
pages paper paragraph part particular past pay people percent perhaps period person personal phone place plain plan
play point points polite possible practical prefer preferably preference preferred present pretty previous price
private probably problem process product professional program project proper provide public purpose put quality
question questions quick quickly quite quote quotes rate rather read reader reading real really reason recent reference
references regular relate related remember reply report request require research respond response rest result results
return right role rule run said save say says school science search second section see seem send sentence sentences
serious service set several share short shorter show sides simple simpler simply site situation size skip slow small
someone something sometimes soon sort sound source sources speak special specific spend stage stand start state stay
step steps still stop story straight strong structure student study style subject suggest summarise summarize summary
support sure system table take talk task teach team technical term terms test text thank thanks thing things think
third thought time times title today together told tone took top topic topics total touch try turn twice two type
understand understood update use used useful user using usual usually value various version view visit voice wait walk
wants watch water way ways week weeks well white whole wide wish woman word words work worked working works world worth
write writing written wrong year years young three four five six seven eight nine ten hundred thousand million billion
monday tuesday wednesday thursday friday saturday sunday http https www org net mail gmail hotmail outlook yahoo
"""

_FRENCH = """
accord accorder acces actuel adresse affaire age aider aime aimer ajouter amis ancien anglais annee annees ans
apprendre approfondi appeler appelle appels apporter article assez attendre attention auteur autour avance avis bas
beau besoin bientot bon bonne bref brefs breve breves cas cause certain changer chapitre chercher cherche chiffre
chiffres chose choses citation citations citer clair claire clairement comparer complet complexe comprendre concis
concise concret connaissance connaitre conseil conseils contenu contexte contre copie correct cote couleur coup courant
cours court courte courtes courts cout creer date debut debutant decrire demande demander depart dernier derniere
description detail detaille detaillee details deux devenir devoir dialogue difference different difficile dire direct
directement discuter document documents domaine donnee donnees donner droit duree ecole ecrire ecrit effet element
elements email enfant enfants ensemble ensuite entreprise environ equipe erreur essayer etape etapes etat etude etudes
etudier evenement eviter exact exactement exemple exemples experience expert explication explications explique
expliquer facile facilement facon faible faits famille faux femme fichier fin fois fonction forme formel formelle
format francais francaise general generalement gens grand grande gras gros groupe guide habite habiter haut heure
heures heureux histoire homme humain humour idee idees important importante information informations interesse
interessant interet jamais jour journal jours juste langage langue lecteur lecture lettre lien lieu ligne lignes limite
lire liste lit livre local long longs longue longues maison maniere marche matin mauvais meilleur mesure methode mettre
mieux mode moderne mois moment monde montrer moyen naturel nature niveau nom noms nombre normal note notes nouveau
nouvelle numero objet officiel ordre original outil ouvert page pages paragraphe parent parfois parle parler part
particulier partie passe passer payer pays penser permet permettre personne personnel personnelle petit petite phrase
phrases place plan plutot poli polie point points politesse porte poser possible pouvoir pratique precedent precis
precise prefere preference preferences preferer premier premiere prendre prenom present presque prix probable probleme
prochain professionnel programme projet propre public puce puces qualite question questions rapide rapidement rapport
recent recents recherche rechercher reference references regle relation rendre repond repondre reponds reponse reponses
rester resultat resultats resume resumer retour reste rien role rue savoir science section semaine sens serieux service
seul seulement simple simplement simples site situation soir solution sorte souhaite source sources souvent structure
style sujet sujets suite suivant suivre support systeme table tableau tableaux tache tard technique techniques temps
terme termes texte textes titre toujours travail travaille travailler travailleur trop trouver type unique usage utile
utilise utiliser utilisateur valeur vais valoir venir verifier version vie vieux ville visite vite vivre vocabulaire
voie voir voix vouloir voudrais vrai vraiment vue zero trois quatre cinq six sept huit neuf dix cent mille million
millions milliard milliards lundi mardi mercredi jeudi vendredi samedi dimanche
"""

_MONTHS = (fold_accents(name) for code in ("en", "fr") for name in MONTH_NAMES[code])
EVERYDAY: frozenset[str] = frozenset().union(_ENGLISH.split(), _FRENCH.split(), _MONTHS, *STOP_WORDS.values())
