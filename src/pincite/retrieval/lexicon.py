"""Words that shape a question and name nothing, folded and by language: what is asked about a thing, what things do."""

# What one asks about something: alone, such words leave open of what.
_RELATIONS_EN = """
ability access actually addition advantage advantages age ago aim also alternative alternatives amount application
applications approach approaches area argument arguments aspect aspects author authors background bad basics beginning
benefit benefits besides best better big biggest capacity case cases categories category cause causes challenge
challenges chance chances change changes characteristic characteristics choice choices claim claims class classes
common comparison competition competitors component components composition con concern concerns conclusion condition
conditions cons consequence consequences controversy cost costs country creation creator criteria criticism criticisms
culture current currently cycle damage danger dangers date dates day days deadline deadlines deal debate definition
degree description design detail details development difference differences different difficulty disadvantage
disadvantages distance drawback drawbacks duration early easiest easy effect effectiveness effects element elements
end ending environment era evidence evolution exactly example examples exception exceptions experience explanation
extent fact factor factors facts fail failure famous feature features fee fees field figure figures finding findings
first form formation forms foundation founder founders frequency full function functions future general generally goal
goals good group groups growth guideline guidelines hard harm health height highest history idea ideas impact impacts
implication implications importance important improvement industry influence influences information ingredient
ingredients instance instances instead invention inventor issue issues item items job key kind kinds known largest
last latest law laws layer layers leader leaders least length lesson level levels life lifespan limit limitation
limitations limits list location locations long longest lowest main major majority maker manner mark market matter
maximum meaning means measure measures mechanism member members method methods minimum mistake mistakes modern money
most name names nature need needs new newest next notable nowadays number numbers objective old oldest opinion
opinions opposite option options order origin original origins other others outcome outcomes owner part particular
parts past people percentage performance period person phase phases place places plan plans plot point points policy
popular population position possible potential practice practices present pressure price prices principle principles
pro problem problems procedure procedures process processes producer product products program project proof properties
property pros purpose qualities quality quantity question questions range rate rates ratio reaction really reason
reasons recent recommendation recommendations reference regulation regulations relation relations relationship
relevance reputation requirement requirements research response result results review reviews right rights risk risks
role roles root roots rule rules safety scale scope season second section sector sense series serious setting shape
short side sides sign signal significance significant signs similar similarities similarity single site situation size
skill skills small smallest society solution solutions some sort source sources special specific speed stage stages
standard standards start state states status step steps story strategies strategy strength strengths strong structure
structures study style styles subject success successful summary support symptom symptoms system systems task
technique techniques technology temperature term terms test tests theme themes theory thing things time times tip tips
today tool tools top topic total tradition treatment treatments trend trends trouble true type types typical typically
unit usage use uses usually value values variation variations varieties variety various version versions view views
way ways weakness weaknesses weight whole width winner winners word words work works world worst worth year years
young youngest
"""
# What people and things do, and how one asks to be told.
_VERBS_EN = """
abolish achieve affect allow appear apply arise ask attract avoid base became become been began begin behave believe
belong bought break bring broke brought build built buy call came cancel care carry catch caught cause celebrate
change charge check choose chose claim close come compare complete compute connect consider consist consume contain
continue contribute control cook cool cope correct cost count cover create cure curious cut deal decide decline
decrease defend define depend describe design destroy detect determine develop diagnose did die died differ
differentiate discover discuss distinguish do donate done draw drew drink drive drop drove earn eat elaborate emerge
enable encounter end enjoy ensure enter establish evolve exist expand expect experience explain explore face fall feed
feel fell felt fight find fit fix fly follow form found function gain gave get give go going gone got great grew grow
handle happen hear heard held help hmm hold hurt identify impact improve include increase indicate influence inform
inspire install integrate interested interesting invent invest involve join keep kept kill knew know known land last
lead learn leave led left like listen live lived look looks lose lost made maintain make manage matter mean meant
measure meet mention met mix move name need nice notice obtain occur offer oh okay open operate organize originate own
paid pass pay perform pick plan play please possess practice prefer prepare prevent process produce protect prove
provide publish pull purchase put raise ran reach react read receive recommend recover reduce refer refuse regulate
relate release relieve remain remember remove renew rent repair replace represent require resolve respond result
return reveal reverse rise run said save saw say search see seem seems seen select sell send sent serve set share
shift show shown sign sit sleep sold solve sought sound sounds speak specify spend spent split spoil spread stand
start stay stood stop store study succeed suffer suggest support suppose sure survive take taken talk taste taught
teach tell thanks think thought throw told took treat try turn understand understood use vary visit vote wait walk
want watch wear weigh went win won wonder wore work worry wow write written wrote
"""

_RELATIONS_FR = """
actuellement age aide alternative an annee annees ans application applications apport argument arguments aspect
aspects aujourd auteur auteurs autre autres avantage avantages avis base bases benefice benefices besoin but buts
cadre calcul caracteristique caracteristiques cas categorie categories cause causes chance chiffre chiffres choix
classe classes comparaison composant composants composition condition conditions conseil conseils consequence
consequences contenu contexte contraire cout couts critere criteres critique critiques danger dangers date dates debut
definition delai delais demarche demarches depart description detail details developpement difference differences
difficulte difficultes directeur document documents domaine donnee droit duree durees effet effets efficacite
egalement element elements enjeu enjeux ensemble ensuite environnement epoque erreur etape etapes etat etendue etude
evolution exactement exception exceptions exemple exemples exigence exigences explication facteur facteurs fin
fonction fonctionnement fonctions fondateur forme formes frais frequence futur generalement genre genres gens grand
grande grandes grands groupe groupes histoire hui idee idees impact impacts importance important importante
importantes importants inconvenient inconvenients influence information informations ingredient ingredients interet
interets issue jour jours lieu lieux limite limites liste longueur maniere manieres maximum meilleur meilleure
meilleures meilleurs membre membres mesure mesures methode methodes minimum mode modes moment montant montants mot
mots moyen moyens nature niveau niveaux nom nombre noms norme normes nouveau nouvelle objectif objectifs obligation
obligations option options ordre origine origines outil outils paiement part partie parties pays periode periodes
personne personnes petit petite phase phases piece pieces place plafond plafonds plan poids point points possibilite
possibilites pourcentage premier premiere premieres premiers principal principale principales principaux principe
principes prix probleme problemes procedure procedures processus produit produits propriete proprietes quantite
question questions raison raisons rapport recommandation reference regle regles relation relations reponse responsable
responsables resultat resultats risque risques role roles sanction sanctions second seconde sens service services
signe signes signification similitude similitudes sinon situation solution solutions sorte sortes source sources
statut strategie structure style sujet symptome symptomes systeme systemes tache taille tarif tarifs taux technique
techniques temps terme termes theme themes theorie total traitement traitements type types usage usages utilisation
utilite valeur valeurs variante variantes variete varietes version versions vie ville vraiment
"""
_VERBS_FR = """
acheter affecter aider ajouter aller appeler appelle applique appliquer apprendre arrive arriver attendre augmenter
avoir beneficier bonjour calculer causer change changer choisir combien comparer comprendre concerne concerner
connaitre consiste consister contenir contient continuer coute coutent couter creer croire date decide decider
declarer decrire definir demander depend dependre devenir devient devoir differe differer dire dis dit dites doit
doivent donne donner donnez dure durent durer ecrire effectuer ete etre eviter existe existent exister explique
expliquer expliquez faire fais fait faites fonctionne fonctionnent fonctionner gerer implique impliquer indique
indiquer informer interessant lire marche marcher merci mesurer mettre montre montrer obtenir obtient ou ouvrir paie
paient parle parler parlez passe passer paye payer penser percoit perdre permet permettre peut peuvent peux porter
pouvoir prend prendre preparer presente presenter prevoir produire produit proteger provoque provoquer quid rappelle
recevoir reduire refuse refuser remplacer remplir renouveler repondre represente resilier reste rester retirer sait
savoir sert servir signer signifie signifier sortir souhaite suffit suit suivre tenir touche toucher traiter trouve
trouver utilise utilisent utiliser valoir varie varier vaudrait vaut venir verifier veut viennent vient vivre voir
vouloir
"""

# Said of a thing: not the thing's name where it stands before it, or after it.
_QUALITIES_EN = """
any available bad best better cheap common current dangerous different difficult early easy effective endangered
ethical expensive famous first full good hard harmful healthy important influential interesting known large last late
legal long main major many more most much nearby necessary next notable other possible recent reliable safe serious
short significant similar small some special specific strong treatable true typical unique useful various worst young
"""
_AFTER_ONLY_EN = "big free great high modern new old popular"
_QUALITIES_FR = """
autre autres bon bonne bonnes bons certain certaine certaines certains cher chere dernier derniere differente
differentes differents disponible disponibles gratuit gratuite important importante importantes importants jeune legal
legale long longue mauvais mauvaise meilleur meilleure meilleures meilleurs necessaire necessaires nombreuses nombreux
nouveau nouvelle obligatoire obligatoires petit petite plusieurs possible possibles premier premiere premiers
principal principale principales principaux prochain prochaine quelques seul seule valable valables
"""
# Anybody and anything.
_NOBODY_EN = (
    "someone anyone everyone people person something anything everything nothing thing things away back ever else "
)
_NOBODY_EN += "kind sort lot around versus vs ok okay"
_NOBODY_FR = "ca chose choses quelqu gens personne personnes quelque rien tout ici ailleurs"

# Behind these a French word in -er, -ir or -re is a verb.
_WANTS_VERB = (
    "comment pour peut peuvent peux puis faut doit doivent dois va vais sans il elle ils elles on je tu nous vous"
)


def _sets(english: str, french: str) -> dict[str, frozenset[str]]:
    return {"en": frozenset(english.split()), "fr": frozenset(french.split())}


RELATIONS = _sets(_RELATIONS_EN, _RELATIONS_FR)
VERBS = _sets(_VERBS_EN, _VERBS_FR)
BEFORE = _sets(_QUALITIES_EN, _QUALITIES_FR)
AFTER = _sets(_QUALITIES_EN + _AFTER_ONLY_EN, _QUALITIES_FR)
NOBODY = _sets(_NOBODY_EN, _NOBODY_FR)
WANTS_VERB = frozenset(_WANTS_VERB.split())
