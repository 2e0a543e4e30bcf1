"""Words that exclude each other: opposites, and one of several. Written by hand, in English and French.

A row holds sides, parted by bars; words of two sides cannot both be meant. Words of one side say much the same, but not
in a row that begins with "!". Verbs and nouns stand with their irregular forms; the rest is found by stems.
"""

_ROWS = """
rise rose risen increase grow grew grown growth climb gain expand surge soar jump higher upward upturn augment escalate
 rebound hausse augmenter augmentation croître croissance croissant progresser progression grimper élever relever
 relèvement accroître accroissement bondir majorer majoration
 | fall fell fallen decrease decline drop reduce reduction lower shrink shrank diminish dwindle plunge plummet slump
 downward downturn lessen baisse baisser diminuer diminution réduire réduction chuter chute reculer recul décroître
 décroissance décroissant abaisser abaissement minorer minoration dégringoler rétrécir
more greater larger bigger plus davantage supérieur | less fewer smaller moins inférieur moindre
above over exceed beyond dépasser excéder dessus au-dessus | below under beneath dessous au-dessous
high élevé haut tall | low bas faible
strong strength strengthen fort renforcer robust | weak weaken weakness faible affaiblir fragile
! before prior precede earlier avant auparavant précéder antérieur préalable previously précédemment
 | after following subsequent later après ensuite postérieur ultérieur suivant subsequently ultérieurement
maximum max most highest largest maximal plafond | minimum min least lowest smallest minimal
 plancher
first initial premier première | last final dernier dernière ultimate
begin began begun start commence onset launch open initiate commencer débuter début lancer démarrer ouvrir entamer
 | end finish terminate cease stop close conclude expire finir terminer cesser arrêter fermer achever fin clore
buy bought purchase acquire acheter achat acquérir acquisition acquéreur acheteur buyer
 | sell sold sale vendre vente vendu céder cession vendeur seller
gain profit earn bénéfice gagner gains profitable rentable | loss lose lost deficit perte perdre perdu déficit
win won victory gagner victoire remporter vainqueur | lose lost defeat perdre défaite perdant
import importer importation | export exporter exportation
! allow permit authorise authorize permitted legal lawful autoriser permettre permis légal licite autorisation
 admissible
 | forbid forbade forbidden prohibit ban illegal unlawful banned interdire interdit prohiber illégal illicite
 interdiction prohibition défendu
mandatory compulsory obligatory required obligatoire requis imposer obligation imposé
 | optional voluntary facultatif optionnel volontaire
free gratuit gratuitement gratuité | paid payant
! true vrai exact correct right véridique authentique authentic genuine réel real
 | false wrong incorrect faux fausse inexact erroné mensonger trompeur mistaken untrue misleading fictif fake
! accept approve agree approuver accepter approbation acceptation valider adopter adopt grant accorder octroyer
 | reject refuse deny denied decline disapprove rejeter refuser rejet refus repousser décliner
! include inclure comprendre comporter contain | exclude exclure omettre omit excepté exclusion
success succeed successful succès réussir réussite | failure fail échec échouer unsuccessful
! positive positif favorable beneficial bénéfique favourable avantageux | negative négatif unfavorable unfavourable
 défavorable harmful nuisible néfaste
safe safety sûr inoffensif harmless | dangerous danger hazardous dangereux toxique toxic nocif
! good better best bon meilleur mieux bien improve improvement améliorer amélioration improved
 | bad worse worst mauvais pire mal deteriorate worsen dégrader détériorer empirer aggraver aggravation
fast faster rapid quick rapide rapidement vite accelerate accélérer accélération quickly rapidly
 | slow slower slowly lent lentement ralentir ralentissement decelerate
long longer lengthen longue allonger prolonger prolongation extend | short shorter shorten court raccourcir abréger
 écourter
large big great grand vaste huge | small little tiny petit minuscule
hot warm warmer heat chaud chaleur réchauffer réchauffement | cold cool cooler froid refroidir refroidissement
young jeune younger | old elderly older vieux âgé vieil vieille
rich riche wealthy | poor pauvre
open ouvert | closed shut fermé fermeture
public publique | private privé privée
active actif active | inactive inactif passive passif dormant
! enter entry arrive arrival join entrer entrée arriver arrivée rejoindre adhérer adhésion
 | leave left exit depart departure quit quitter sortir sortie partir départ démission
north northern nord septentrional | south southern sud méridional
east eastern oriental | west western ouest occidental
left gauche | right droite
! male man men homme masculin boy garçon husband mari père father son fils brother frère uncle oncle
 | female woman women femme féminin girl fille wife épouse mère mother daughter sister sœur aunt tante
! employer employeur | employee salarié employé worker
! lender creditor créancier prêteur | borrower debtor débiteur emprunteur
! landlord lessor bailleur owner propriétaire | tenant lessee locataire preneur
plaintiff claimant demandeur requérant | defendant respondent défendeur
always toujours constantly systématiquement invariably | never jamais | sometimes parfois occasionally occasionnellement
often frequently souvent fréquemment frequent fréquent commonly couramment
 | rarely seldom rarement rare uncommon
! all every each entire tous toutes tout chaque whole ensemble | some several certain certains certaines quelques
 plusieurs partial | none nobody nothing aucun aucune nul nulle rien personne
majority majorité plupart mostly | minority minorité
everywhere partout | nowhere
same identical equal identique égal égale même similar similaire semblable
 | different distinct unequal différent divers inégal dissimilar
together jointly ensemble conjointement | separately apart séparément
inside within interior intérieur dedans internal interne | outside exterior extérieur dehors external externe
present présent presence présence | absent absence
permanent définitif lasting indefinite | temporary temporaire provisoire transient transitoire
full complete entire plein complet total intégral | empty partial incomplete vide partiel incomplet
simple easy simpler facile facilement easily easier | complex difficult hard complexe difficile difficilement harder
early tôt précoce | late tard tardif
ancient old former ancien | new recent nouveau nouvelle récent modern
upper superior supérieur | lower inferior inférieur
national domestic intérieur | foreign international étranger
direct | indirect
encourage promote stimulate favour favoriser encourager promouvoir stimuler enhance
 | discourage inhibit suppress hinder prevent décourager inhiber empêcher freiner entraver impair block bloquer
activate activer activation | deactivate inactivate désactiver inhibition inhibit désactivation
attack attaquer offensive | defend defence defense défendre défense
support soutenir soutien appuyer favour | oppose opposition opposer contester against contre
confirm confirmer prove demonstrate prouver démontrer corroborate attester
 | deny refute disprove démentir réfuter infirmer contradict contredire
pass passed réussir | fail failed échouer
add added ajouter ajout addition | remove subtract delete supprimer retirer enlever suppression withdraw retrait
! create establish found build built créer construire fonder création bâtir | destroy abolish demolish détruire abolir
 démolir destruction dissoudre
give given gave donner donate | take took taken prendre | receive received recevoir reçu
send sent envoyer expédier | receive received recevoir réception
pay paid payer verser versement | owe owed due
hire recruit recruter embaucher embauche engager | dismiss fire licencier licenciement renvoyer layoff
alive vivant survive survivor survivre survivant | dead die died death mort mourir décès décéder
acute aigu aiguë | chronic chronique
benign bénin bénigne | malignant malin maligne
mild léger légère minor bénin mineur | severe serious grave sévère major majeur lourd
guilty coupable condemn convict condamner | innocent acquit acquitter
visible apparent | invisible hidden caché
known connu | unknown inconnu
certain sûr définitif | uncertain doubtful incertain douteux
likely probable probablement | unlikely improbable
possible | impossible
necessary nécessaire needed | unnecessary inutile superflu
useful utile effective efficace efficacité | useless inutile ineffective inefficace inefficacité
dependent dépendant | independent indépendant
stable constant | unstable instable variable fluctuating
! with avec | without sans
summer | winter hiver
morning matin | evening soir | night nuit | afternoon après-midi
monday lundi | tuesday mardi | wednesday mercredi | thursday jeudi | friday vendredi | saturday samedi | sunday dimanche
january janvier | february février | mars | april avril | june juin | july juillet | august août
 | september septembre | october octobre | november novembre | december décembre
second seconde | minute minutes | hour hours heure heures hourly | day days jour jours daily quotidien
 quotidiennement | week weeks semaine semaines weekly hebdomadaire | month months mois monthly mensuel mensuellement
 | year years an ans année années annual annuel yearly annuellement annually | decade décennie
 | century siècle
supersonic supersonique | subsonic subsonique | hypersonic hypersonique
laminar laminaire | turbulent
upstream amont | downstream aval
linear linéaire | nonlinear
horizontal | vertical
convex | concave
solid solide | liquid liquide | gas gaz gaseous gazeux
acid acide acidic | alkaline basique
! adult adulte | child children enfant mineur
upregulate upregulated upregulation overexpress | downregulate downregulated downregulation
single célibataire unmarried | married marié
! civil | criminal pénal military militaire
"""


def _read() -> tuple[dict[str, tuple[tuple[int, int], ...]], frozenset[int]]:
    found: dict[str, list[tuple[int, int]]] = {}
    loose = set()
    for number, row in enumerate(_ROWS.replace("\n ", " ").strip().split("\n")):
        if row.startswith("!"):
            loose.add(number)
        for side, words in enumerate(row.removeprefix("!").split("|")):
            for word in words.split():
                places = found.setdefault(word, [])
                if (number, side) not in places:
                    places.append((number, side))
    return {word: tuple(places) for word, places in found.items()}, frozenset(loose)


SIDES, LOOSE = _read()
"""Each listed word with the rows it stands in and its side there; and the rows whose sides are no synonyms."""
