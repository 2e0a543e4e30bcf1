"""Words that tell nobody apart, in English and French and folded: how people write about what they like to read."""

from pincite.index.stopwords import STOP_WORDS

_ENGLISH = """
able above access according account across action active actually add advice advise again age ago agree almost alone
along already although always among amount analyse analysis answer answers anyone anything appear apply area around ask
asked author available away back bad based basic become began begin best better big bit book both brief briefly bring
build bullet business busy call called came cannot care careful case cause certain chance change chapter check child
children choose citation cite city clear clearly close cold come common company compare complete complex concise
consider contain content context continue copy correct cost could country couple course create current daily data date
day days deal decide deep depth describe detail detailed details difference different difficult direct directly discuss
document documents done draft during early easy edit effect email end english enjoy enough especially even event ever
every everyone everything evidence exact exactly example examples expect experience expert expertise explain explained
explanation face fact facts fairly false family far fast favourite feel field figure figures file find fine first focus
follow following form formal format found free french friend friendly full fun general generally get give given goal
good great group grow guide half hand happen happy hard hear help helpful high home hope hour hours house however idea
important include including inform information informal instead interest interested interesting issue item job join
journal just keep key kind know knowledge language large last late later law lead learn learning least leave left less
level life like likely limit line link list listed little live lived living local long longer look looking lot love low
main make making man many matter maybe mean means measure method might mind minute minutes mobile model modern moment
money month months more morning most mostly move much name names nature near need needs never new news next nice night
normal note notes nothing number numbers offer office official often old once one open opinion option order original
other own page pages paper paragraph part particular past pay people percent perhaps period person personal phone place
plain plan play please point points polite possible practical prefer preferably preference preferred present pretty
previous price private probably problem process product professional program project proper provide public purpose put
quality question questions quick quickly quite quote quotes rate rather read reader reading real really reason recent
reference references regular relate related remember reply report request require research respond response rest result
results return right role rule run said same save say says school science search second section see seem send sentence
sentences serious service set several share short shorter should show sides simple simpler simply since site situation
size skip slow small some someone something sometimes soon sort sound source sources speak special specific spend stage
stand start state stay step steps still stop story straight strong structure student study style subject such suggest
summarise summarize summary support sure system table take talk task teach team technical tell term terms test text
thank thanks thing things think third though thought time times title today together told tone too took top topic topics
total touch toward towards try turn twice two type understand understood until update use used useful user using usual
usually value various version very view visit voice wait walk want wants watch water way ways week weeks well while
white whole why wide will wish without woman word words work worked working works world worth would write writing
written wrong year years yes yet young
one two three four five six seven eight nine ten hundred thousand million billion
monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
october november december http https www com org net mail gmail hotmail outlook yahoo
"""

_FRENCH = """
accord accorder acces actuel adresse affaire age ai aider aime aimer ainsi ajouter aller amis an ancien anglais annee
annees ans apprendre approfondi appeler appelle appels apporter apres article assez attendre attention auteur autour
avance avis avoir bas beau besoin bientot bon bonne bref brefs breve breves but cas cause certain changer chapitre
chercher cherche chez chiffre chiffres chose choses citation citations citer clair claire clairement comparer complet
complexe comprendre concis concise concret connaissance connaitre conseil conseils contenu contexte contre copie correct
cote couleur coup courant cours court courte courtes courts cout creer date debut debutant decrire demande demander
depart depuis dernier derniere description detail detaille detaillee details deux devenir devoir dialogue difference
different difficile dire direct directement discuter dit document documents domaine donnee donnees donner droit duree
ecole ecrire ecrit effet element elements email encore enfant enfants ensemble ensuite entreprise environ equipe erreur
essayer etape etapes etat etre etude etudes etudier evenement eviter exact exactement exemple exemples experience expert
explication explications explique expliquer facile facilement facon faible faire fait faits famille faut faux femme
fichier fin fois fonction forme formel formelle format francais francaise general generalement gens grand grande gras
gros groupe guide habite habiter haut heure heures heureux histoire homme humain humour idee idees important importante
information informations interesse interessant interet jamais jour journal jours juste langage langue lecteur lecture
lettre lien lieu ligne lignes limite lire liste lit livre local long longs longue longues maison maniere marche matin
mauvais meilleur mesure methode mettre mieux mode moderne mois moment monde montrer moyen naturel nature niveau nom noms
nombre normal note notes nouveau nouvelle numero objet officiel ordre original outil ouvert page pages paragraphe parent
parfois parle parler part particulier partie passe passer payer pays pendant penser permet permettre personne personnel
personnelle petit petite peu phrase phrases place plan plutot poli polie point points politesse porte poser possible
pouvoir pratique precedent precis precise prefere preference preferences preferer premier premiere prendre prenom
present presque prix probable probleme prochain professionnel programme projet propre public puce puces qualite question
questions rapide rapidement rapport recent recents recherche rechercher reference references regle relation rendre
repond repondre reponds reponse reponses rester resultat resultats resume resumer retour reste rien role rue savoir
science section semaine sens sera serieux service seul seulement simple simplement simples site situation soir soit
solution sorte souhaite source sources souvent structure structure style sujet sujets suite suivant suivre support sur
systeme table tableau tableaux tache tard technique techniques temps terme termes texte textes titre ton tot toujours
travail travaille travailler travailleur trop trouver type unique usage utile utilise utiliser utilisateur valeur vais
valoir venir verifier version vie vieux ville visite vite vivre vocabulaire voie voir voix vouloir voudrais vrai
vraiment vue zero
un deux trois quatre cinq six sept huit neuf dix cent mille million millions milliard milliards
lundi mardi mercredi jeudi vendredi samedi dimanche janvier fevrier mars avril mai juin juillet aout septembre octobre
novembre decembre
"""

EVERYDAY: frozenset[str] = frozenset().union(_ENGLISH.split(), _FRENCH.split(), *STOP_WORDS.values())
