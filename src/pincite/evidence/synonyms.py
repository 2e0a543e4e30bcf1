"""Words that may stand for each other when an answer retells a source. Written by hand, in English and French."""

_ROWS = """
use utilise utilize apply usage
hold held rule ruled decide decided judge
show demonstrate reveal indicate display illustrate suggest
find found discover identify detect observe finding
say said state declare announce assert report tell told mention claim affirm
get obtain receive gain acquire
help assist aid support assistance
make made create produce generate form
need require requirement necessary
give provide supply offer grant furnish deliver
keep kept retain maintain preserve hold held
end terminate expire cease finish conclude
begin start commence launch
plan intend
buy purchase acquire
big large great major substantial
significant considerable substantial important notable marked
main major primary principal chief key
small minor little slight
many numerous several multiple various
part portion section component share
way method manner approach technique means
cause lead result trigger induce provoke
change modify alter amend adjust revise
check verify examine inspect control
company firm business corporation enterprise organisation organization
people person individual human
worker employee staff
child children kid
illness disease disorder condition
doctor physician clinician practitioner
medicine drug medication treatment therapy
law legislation statute act
rule regulation provision
contract agreement deal
money fund funding cash capital
price cost fee charge
pay payment remuneration compensation
rent lease
house home dwelling housing residence
car vehicle automobile
country nation state
city town
goal aim objective purpose target
study research investigation trial
test trial experiment exam
author writer researcher
idea concept notion
problem issue difficulty
answer reply response
choose select pick opt
begin commence initiate
build construct
explain describe clarify
happen occur arise
important essential crucial vital key
enough sufficient adequate
quick fast rapid
approximately about roughly around nearly
also additionally moreover furthermore
however but nevertheless nonetheless
because since due owing
therefore thus hence consequently
usually generally typically normally commonly
allow permit enable let
prevent avoid stop
protect safeguard
increase rise grow growth
decrease decline fall reduce drop
receive get obtain
ask request demand
think believe consider
try attempt
live reside
die death died dead
kill killed
year annual yearly
month monthly
week weekly
day daily
quarter quarterly
utiliser user recourir usage
montrer démontrer révéler indiquer illustrer
trouver découvrir identifier constater observer
dire déclarer annoncer affirmer indiquer préciser signaler
décerner attribuer recevoir obtenir
obtenir recevoir bénéficier percevoir toucher
aider assister soutenir aide
faire effectuer réaliser accomplir procéder
devoir obligation tenu obligé
donner fournir accorder octroyer attribuer
garder conserver maintenir
finir terminer cesser achever
commencer débuter démarrer
acheter acquérir
important considérable significatif notable
principal majeur essentiel
nombreux plusieurs multiple
partie part portion
manière façon méthode moyen
causer provoquer entraîner occasionner engendrer
changer modifier modification changement
vérifier contrôler examiner contrôle vérification
entreprise société compagnie firme
personne individu particulier
salarié employé travailleur
enfant mineur
maladie affection pathologie
médecin docteur praticien
médicament traitement
loi législation
règle règlement disposition réglementation
contrat accord convention
argent somme montant fonds
prix coût tarif frais
payer payable régler verser paiement versement règlement
logement habitation domicile résidence
voiture véhicule automobile
pays état nation
ville commune municipalité
but objectif finalité
étude recherche enquête
essai test
problème difficulté
réponse répondre
choisir sélectionner opter
construire bâtir
expliquer décrire
arriver survenir
suffisant assez
rapide rapidement vite
environ approximativement près
aussi également
cependant toutefois néanmoins mais
car parce puisque
donc ainsi conséquent
généralement habituellement normalement
autoriser permettre
empêcher éviter
protéger protection
augmenter hausse augmentation croître croissance
diminuer baisse diminution réduire réduction baisser
demander solliciter requérir demande
penser croire estimer considérer
essayer tenter tentative
habiter résider vivre
mourir décéder mort décès
tuer tué
arrêter arrestation interpeller interpellation incarcérer
année an annuel annuellement
mois mensuel
semaine hebdomadaire
jour quotidien journée
dossier demande
document pièce justificatif
délai durée période
lieu endroit
établir dresser
transmettre envoyer adresser communiquer
supprimer effacer
refuser rejeter refus rejet
guerre conflit
image photo photographie cliché
vidéo film
vaccin vaccination vacciner
covid coronavirus sars-cov-2 covid-19
france français
onu nations
"""


def _read() -> dict[str, tuple[int, ...]]:
    found: dict[str, list[int]] = {}
    for number, row in enumerate(_ROWS.strip().split("\n")):
        for word in row.split():
            found.setdefault(word, []).append(number)
    return {word: tuple(rows) for word, rows in found.items()}


GROUPS = _read()
"""Each listed word with the rows it stands in."""
