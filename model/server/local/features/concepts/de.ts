import type { ConceptWords } from './concept.ts'

export const de: ConceptWords = {
  prepayment:
    'vorkasse, vorab, im voraus, anzahlung, geschenkkarte, gutscheinkarte, geld senden, geld schicken, überweis, bearbeitungsgebühr, kaution vorab, schlüssel per post, bin im ausland, western union, paysafe, paypal freunde, guthabenkarte',
  easy_profit:
    'garantierte rendite, garantierter gewinn, garantiert, verdoppel, ohne risiko, risikofrei, passives einkommen, schnelles geld, leicht geld, von zu hause, heimarbeit, finanzielle freiheit, täglicher gewinn, rendite, reich werden, ohne erfahrung, nebenverdienst',
  crypto_wallet: 'kryptowähr, krypto, bitcoin, wallet, geldbörse, blockchain, seed phrase, token',
  urgency:
    'dringend, sofort, nur heute, letzte chance, beeil, schnell sein, bis mitternacht, innerhalb von 24, nur noch wenige, letzte mahnung, unverzüglich, solange der vorrat, nicht warten, läuft ab',
  secrecy:
    'diskret, keine fragen, ohne papiere, ohne fragen, nicht weitersagen, sag niemand, niemand erfährt, anonym, neutral verpackt, neutraler umschlag, ohne rechnung, nur bar, unter der hand, schwarz auf, vertraulich, spurlos, unauffällig',
  money_mule:
    'finanzagent, dein konto, ihr konto zur, konto zur verfügung, geld weiterleiten, weiterleiten, zahlungen empfangen, überweisungen empfangen, pakete weiterleiten, pakete annehmen, provision pro, behalten sie, behältst du, konto vermieten',
  loan_lottery_prize:
    'kredit ohne, sofortkredit, ohne schufa, darlehen, lotterie, gewonnen, gewinner, preisgeld, erbschaft, glückwunsch, verlosung, begünstigt, jackpot, auszahlung',
  fake_documents:
    'gefälscht, falsche papiere, falscher ausweis, führerschein ohne, führerschein kaufen, ohne prüfung, reisepass kaufen, diplom kaufen, zeugnis kaufen, personalausweis, auf jeden namen, falschgeld, krankschreibung ohne, impfpass, gekaufte bewertung',
  counterfeit_stolen:
    'gestohlen, geklaut, fälschung, nachbildung, replik, plagiat, hehler, ohne seriennummer, vom laster, frag nicht woher, fragt nicht, geklont, gehackte konten, raubkopie, diebesgut',
  drugs:
    'kokain, heroin, marihuana, cannabis, haschisch, gras$, ecstasy, amphetamin, pilze zauber, gramm, drogen, koks, crystal, ketamin, dealer, anabolika, speed$',
  medicine_without_prescription:
    'ohne rezept, rezeptfrei, schmerzmittel, schlaftabletten, beruhigungsmittel, tabletten, antibiotika, abtreibungspille, tilidin, tramadol, diazepam, oxycodon, verschreibungspflicht, abnehmspritze',
  weapons:
    'pistole, gewehr, munition, waffe, revolver, schalldämpfer, handgranate, sprengstoff, schusswaffe, ohne waffenschein, waffenschein, schlagring, springmesser, patronen, maschinenpistole',
  protected_animals:
    'elfenbein, nashorn, geschützte art, schildkröte, papagei, greifvogel, adler, falken, wildfang, exotische tiere, jungtiere, tiger, aus dem nest, artenschutz, leopardenfell, uhu',
  sexual_explicit:
    'nackt, porno, sexuell, orgasmus, penis, vagina, titten, schwanz, ficken, fick$, muschi, erotisch, geil, brüste, stöhn, wichs, befriedig, nippel, versaut',
  sexual_services:
    'escort, callgirl, prostitu, bordell, erotische massage, happy end$, begleitservice, hausbesuch, hotelbesuch, stundenhotel, taschengeld, taschengeldtreffen, sinnliche massage, pro stunde, hostess, sugardaddy',
  threat_violence:
    'umbringen, bring dich um, töten, tot schlagen, totschlagen, verprügel, zusammenschlagen, verbrennen, abfackeln, du wirst es bereuen, bereuen, wir wissen wo, ich weiß wo, die knochen brechen, brechen, bezahlen wirst, büßen, denkzettel, eine lektion, abstechen, erwürgen, aufhängen, fertigmachen, blut$, nicht nach hause',
  weapon_attack:
    'bombe, rohrbombe, brandsatz, molotow, erschieß, schießen, anschlag, messer, angreif, anzünden, in brand, feuer legen, vergift, baseballschläger, machete, massaker, hinterhalt, held$, märtyrer, sprengen, amoklauf',
  hate_dehumanising:
    'ungeziefer, parasit, kakerlak, ratten, abschaum, untermensch, dreckspack, pack$, minderwertig, geht zurück, zurück in eure, nicht willkommen, ausweisen, abschieben, raus aus, ausländer raus, invasoren, plage, verseucht, diese leute, solche leute, gehören nicht, kanaken, keine ausländer, volk, remigration, säubern, vermehren sich',
  insult:
    'idiot, dumm, blöd, wertlos, hässlich, versager, arschloch, schlampe, hure, wichser, lügner, feigling, fett, ekelhaft, widerlich, erbärmlich, trottel, vollpfosten, spast, behindert, missgeburt, penner, lächerlich, scheiß, halt die fresse, unfähig, peinlich',
  pile_on:
    'schreibt ihm, schreibt ihr, schreibt alle, alle schreiben, ruft ihn, ruft sie, ruft seinen, ruft ihren, bis er geht, bis sie geht, bis er, bis sie, macht ihm, macht ihr das, das leben zur hölle, meldet seinen, meldet ihren, schlechte bewertung, ein stern, bombardiert, sagt ihm, sagt ihr, zeigt ihm, zeigt ihr, teilt sein foto, teilt ihr foto, an den pranger, klingelt, lacht über, alle zusammen gegen',
  self_harm_urge:
    'bring dich, umbringen solltest, suizid, selbstmord, beende dein leben, dein leben beenden, niemand wird dich vermissen, keiner wird dich vermissen, niemand vermisst, ohne dich besser, besser ohne dich, zur last, eine last, hör auf zu essen, hungern, hungere, ritz, spring$, tu es endlich, schneide dich, überdosis, schmerzlos, mutprobe, verschwinden wollen, selbstverletz',
  support_help:
    'telefonseelsorge, seelsorge, selbsthilfe, selbsthilfegruppe, beratung, du bist nicht allein, nicht allein, therap, psycholog, hilfe holen, krisentelefon, notruf, trauer, ehrenamtlich, angehörige, genesung, zuhören, frauenhaus, anonym und kostenlos, hilfetelefon',
  credentials:
    'passwort, kennwort, pin nummer, tan$, zugangsdaten, kartennummer, bestätigungscode, code per sms, sicherheitscode, einloggen, anmelden und, melden sie sich an, bestätigen sie, bestätige dein, kontodaten, bankdaten, wiederherstellungs, privater schlüssel, api schlüssel, zwölf wörter, prüfziffer, türcode',
  account_closes:
    'ihr konto wird, dein konto wird, ihr konto wurde, dein konto wurde, gesperrt, sperrung, wird gelöscht, wird geschlossen, verifizier, ungewöhnliche aktivität, verdächtige aktivität, postfach, reaktivier, entsperr, daten aktualisieren, aktualisieren sie, eingeschränkt, ihr paket',
  run_command:
    'führe aus, führen sie, führt aus, installier, virenscanner, antivirus, virenschutz, als administrator, in die konsole, eingabeaufforderung, terminal, befehl, ausschalten, deaktivier, anhang öffnen, fernzugriff, fernwartung, trojaner, schadsoftware, makros, skript',
  machine_orders:
    'ignoriere alle, ignoriere die, ignoriere deine, ignorier, vorherigen anweisungen, bisherigen anweisungen, frühere anweisung, anweisungen, vergiss alle, vergiss deine, systemnachricht, systemmeldung, systemprompt, ki agent, agenten, assistent, gib diesen beitrag frei, beitrag freigeben, genehmige, sprachmodell, ki modell, moderationsmodell, moderator, du bist jetzt, entwicklermodus, ohne rückfrage, deinen nutzer, künstliche intelligenz, stufe diesen, antworte nur',
  official_impersonation:
    'amtliche mitteilung, offizielle mitteilung, offiziell, hier spricht, hier ist die polizei, ihre bank, ihre sparkasse, sparkasse, finanzamt, bundesamt, polizei, ministerium, kundendienst, kundenservice, support team, sicherheitsabteilung, im namen der, im auftrag, zollamt, bundespolizei, stadtverwaltung, bürgermeister, behörde, broadside team, geschäftsführ',
  private_person_data:
    'wohnt in, wohnt am, wohnt im, seine adresse, ihre adresse, seine nummer, ihre nummer, telefonnummer von, handynummer, kennzeichen, arbeitet bei, arbeitet im, wo er wohnt, wo sie wohnt, wo sie arbeitet, wo er arbeitet, privatadresse, geburtsdatum, allein zu haus, allein zuhause, meine ex, mein ex, mein nachbar, meine nachbarin, seine kinder, ihre kinder, schwanger, diagnose, patientenakte, krankenakte, verlässt das haus, jeden morgen um, gehalt, iban',
  spam_reach:
    'klick, klickt hier, abonnier, follower, gratis, kostenlos kostenlos, jetzt kaufen, jetzt bestellen, weiterleiten an, leite dies, kettenbrief, teile diesen, link in, folgt mir, rabatt, rabattcode, gutscheincode, billig, bester preis, schnäppchen, angebote, likes, besucht meine, werbelink',
  false_cure:
    'wundermittel, wunderheil, heilt krebs, heilt diabetes, krebs heilen, heilt alle, ärzte verschweigen, verschweig, pharmaindustrie, pharmalobby, ohne nebenwirkungen, entgift, heilmittel, naturheil, abnehmen ohne, fett verbrenn, geheimes rezept, insulin absetzen, chlordioxid, nie wieder schmerzen',
  placeholder_text:
    'testbeitrag, nur ein test, dies ist ein test, test test test, platzhalter, text hier, hier text, titel hier, beispieltext, mustertext, folgt noch, wird noch ergänzt, hallo welt, blindtext',
  warning_report:
    'vorsicht, warnung, warnt, achtung betrug, betrug, betrüger, gericht, verurteilt, prozess, polizeibericht, festgenommen, studie, workshop, vortrag, geschichte, museum, roman$, forsch, opfer, verbraucherzentrale, anzeige erstatt, journalist, ausstellung, dokumentar, aufklärung, prävention, gedenk, erkennt man, beschlagnahm',
  ordinary_trade:
    'abholung, selbstabhol, besichtigung, zustand, größe, rechnung, garantie, gebraucht, kratzer, verkaufe, zu verkaufen, vermiete, miete, preis, verhandlungsbasis, lieferung, möbliert, handgemacht, reparatur, unterricht, holz, fahrrad, teilzeit, gehalt, bewerbung, nichtraucher, kaution',
  ordinary_event:
    'eintritt frei, einlass, türen öffnen, anmeldung, probe$, proben$, konzert, chor, mitbringen, bringt, flohmarkt, fest$, lesung, anfänger, bibliothek, wanderung, turnier, treffpunkt, aufführung, vorführung, alle willkommen, plätze, beginn, saal, führung, spielabend',
  tech_note:
    'veröffentlicht, fehler behoben, behoben, fehlerbehebung, latenz, datenbank, quelloffen, server, ausfall, wartung, leistung, speicher, schnittstelle, abfrage, bibliothek, datensatz, übersetzer, zwischenspeicher, aktualisierung, commit',
}
