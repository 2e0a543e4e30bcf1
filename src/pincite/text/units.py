"""Look up units: the measure, and the size in the base unit. 5 km is 5,000 of length, $2 is 2 dollars."""

_TABLE = """
length m 1 metre metres meter meters mètre mètres
length km 1000 kilometre kilometres kilometer kilometers kilomètre kilomètres
length cm .01 centimetre centimetres centimeter centimeters centimètre centimètres
length mm .001 millimetre millimetres millimeter millimeters millimètre millimètres
length µm 1e-6 μm um microm micron microns micromètre micromètres micrometer micrometers
length nm 1e-9 nanometer nanometers nanomètre nanomètres
length mi 1609.344 mile miles
length ft .3048 feet foot pied pieds
length in. .0254 inch inches pouce pouces
length yd .9144 yard yards
area m² 1 m2 sqm
area km² 1e6 km2
area ha 1e4 hectare hectares
area acre 4046.86 acres
area ft² .092903 ft2 sqft
volume l 1 L litre litres liter liters
volume ml .001 mL millilitre millilitres milliliter milliliters
volume cl .01 cL centilitre centilitres
volume dl .1 dL
volume µl 1e-6 µL μl μL
volume m³ 1000 m3
volume gal 3.785 gallon gallons
mass g .001 gram grams gramme grammes
mass kg 1 kilogram kilograms kilogramme kilogrammes kilo kilos
mass mg 1e-6 milligram milligrams milligramme milligrammes
mass µg 1e-9 μg mcg ug microgram micrograms microgramme microgrammes
mass ng 1e-12 nanogram nanograms
mass t 1000 tonne tonnes
mass ton 907.2 tons
mass lb .453592 lbs pound-mass livre-poids
mass oz .02835 ounce ounces once onces
time s 1 sec secs second seconds seconde secondes
time ms .001 millisecond milliseconds milliseconde millisecondes
time min 60 mins mn minute minutes
time h 3600 hr hrs hour hours heure heures
time d 86400 day days jour jours
time wk 604800 week weeks semaine semaines
time mo 2629800 month months mois
time y 31557600 yr yrs year years an ans année années
time decade 315576000 decades décennie décennies
time century 3155760000 centuries siècle siècles
degree ° 1 degree degrees degré degrés deg
celsius °C 1 ℃
fahrenheit °F 1 ℉
kelvin K 1 kelvin kelvins
power W 1 watt watts
power kW 1e3 kilowatt kilowatts
power MW 1e6 megawatt megawatts mégawatt mégawatts
power GW 1e9 gigawatt gigawatts
energy J 1 joule joules
energy kJ 1e3
energy Wh 3600
energy kWh 3.6e6
energy MWh 3.6e9
energy GWh 3.6e12
energy TWh 3.6e15
energy kcal 4184
energy cal 4.184 calorie calories
voltage V 1 volt volts
voltage mV .001
frequency Hz 1 hertz
frequency kHz 1e3
frequency MHz 1e6
frequency GHz 1e9
pressure Pa 1
pressure hPa 100
pressure kPa 1e3
pressure MPa 1e6
pressure bar 1e5 bars
pressure psi 6894.76
pressure mmHg 133.322
data kB 1e3 KB ko Ko kilobytes kilo-octets
data MB 1e6 Mo megabytes megabyte mégaoctets
data GB 1e9 Go gigabytes gigabyte gigaoctets
data TB 1e12 terabytes terabyte téraoctets
data B 1 byte bytes octet octets
amount mol 1 mole moles
amount mmol .001
amount µmol 1e-6 μmol
amount nmol 1e-9
concentration M 1
concentration mM .001
concentration µM 1e-6 μM
concentration nM 1e-9
speed mph .44704
speed kph .277778
percent % .01 percent pct %age pourcent
permille ‰ .001
points pp .01
points bps .0001
EUR € 1 EUR euro euros
dollar $ 1 USD US$ dollar dollars CAD AUD
GBP £ 1 GBP sterling
JPY ¥ 1 JPY yen yens yuan
CHF CHF 1 francs franc
INR ₹ 1 INR rupee rupees roupie roupies
cents ¢ .01 centime centimes
"""
UNITS: dict[str, tuple[str, float]] = {}
for _row in _TABLE.split("\n"):
    if _row:
        _measure, _symbol, _factor, *_names = _row.split()
        UNITS.update(dict.fromkeys((_symbol, *_names), (_measure, float(_factor))))
UNITS |= {
    "per cent": ("percent", 0.01),
    "pour cent": ("percent", 0.01),
    "percentage points": ("points", 0.01),
    "percentage point": ("points", 0.01),
    "points de pourcentage": ("points", 0.01),
    "point de pourcentage": ("points", 0.01),
    **dict.fromkeys(("basis points", "basis point", "points de base", "point de base"), ("points", 0.0001)),
}
CURRENCIES = frozenset(("EUR", "dollar", "GBP", "JPY", "CHF", "INR"))
PREFIXES = r"(?:US|CA|AU|C|A)?\$|€|£|¥|₹|EUR|USD|GBP|CHF|JPY|INR"
_SMALLER = {name.casefold(): name for name in UNITS if len(name) > 2}


def look_up_unit(name: str) -> tuple[str, float] | None:
    """Return the measure of a unit and its size in the base unit. Symbols are case-sensitive, longer words are not."""
    return UNITS.get(name) or UNITS.get(_SMALLER.get(name.casefold(), ""))
