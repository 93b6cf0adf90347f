import type { ConceptWords } from './concept.ts'

export const nl: ConceptWords = {
  prepayment:
    'vooraf betalen, vooruit betalen, vooruitbetal, vooraf overmaken, overmaken, cadeaukaart, cadeaubon, geld sturen, stuur geld, aanbetaling, administratiekosten, borg vooraf, tikkie, in het buitenland, sleutels per post, verwerkingskosten',
  easy_profit:
    'gegarandeerd, verdubbel, zonder risico, risicoloos, passief inkomen, snel geld, makkelijk geld, vanuit huis, thuiswerk, financiële vrijheid, rendement, rijk worden, zonder ervaring, dagelijkse winst',
  crypto_wallet: 'cryptomunt, crypto, bitcoin, portemonnee, herstelzin, munten',
  urgency:
    'dringend, haast, laatste kans, alleen vandaag, onmiddellijk, meteen, binnen 24 uur, voor middernacht, laatste plaatsen, wacht niet, spoed, verloopt, op is op',
  secrecy:
    'discreet, geen vragen, zonder papieren, zonder vragen, vertel niemand, niemand weet, niemand hoeft, anoniem, neutrale verpakking, onopvallend, zonder factuur, zwart$, alleen contant, vertrouwelijk, geheim',
  money_mule:
    'je rekening, uw rekening, rekening uitlenen, rekening verhuren, bankpas, geldezel, geld doorsturen, doorsturen, betalingen ontvangen, pakketten ontvangen, pakketten doorsturen, commissie per, zelf houden',
  loan_lottery_prize:
    'lening, loterij, gewonnen, winnaar, prijs geclaimd, prijswinnaar, erfenis, gefeliciteerd, trekking, zonder bkr, begunstigde, snel krediet',
  fake_documents:
    'vals paspoort, valse papieren, valse documenten, vals diploma, vals rijbewijs, vervalst, rijbewijs zonder, zonder examen, diploma kopen, op elke naam, vals geld, valse recensies, nepdiploma, identiteitsbewijs',
  counterfeit_stolen:
    'gestolen, gejat, namaak, replica, vervalsing, zonder serienummer, serienummer verwijderd, gekloond, gehackte accounts, heling, vraag niet waar, nepmerk',
  drugs:
    'cocaïne, heroïne, wiet, hasj, xtc, amfetamine, paddo, gram$, drugs, ketamine, coke$, pillen, dealer, anabolen, speed$, truffels',
  medicine_without_prescription:
    'zonder recept, geen recept, pijnstiller, slaappil, kalmeringsmiddel, antibiotica, abortuspil, tramadol, oxycodon, diazepam, medicijn, afslankprik',
  weapons:
    'pistool, geweer, munitie, wapen, geluiddemper, handgranaat, explosie, vuurwapen, zonder vergunning, zonder wapenvergunning, boksbeugel, stiletto, patronen, kogels',
  protected_animals:
    'ivoor, neushoorn, beschermde, schildpad, papegaai, roofvogel, arend, valken, wildvang, exotische dieren, aapje, tijger, uit het nest, putter',
  sexual_explicit:
    'naakt, porno, seksueel, orgasme, penis, vagina, tieten, lul$, kut$, neuken, geil, erotisch, borsten, masturb, tepel, kreun, pijpen, seks$',
  sexual_services:
    'escort, prostitu, erotische massage, happy end, gezelschapsdame, ontvangst thuis, per uur, bordeel, discrete ontmoeting, heren, hotelbezoek, sugardaddy, sensuele',
  threat_violence:
    'vermoord, doodmaken, doden, dood maken, in elkaar slaan, verbrand, afbranden, je krijgt spijt, spijt krijgen, spijt van, ik weet waar, we weten waar, breken, boeten, een lesje, neersteken, wurgen, ophangen, afmaken, bloed, kapot maken, niet thuis',
  weapon_attack:
    'bom$, bommen, molotov, brandbom, schieten, neerschiet, aanslag, messen, mes$, aanvallen, in brand, brandsticht, vergiftig, honkbalknuppel, knuppel, machete, bloedbad, hinderlaag, held$, martelaar, opblazen',
  hate_dehumanising:
    'ongedierte, parasiet, kakkerlak, ratten, uitschot, tuig$, minderwaardig, ga terug, terug naar je, terug naar hun, niet welkom, uitzetten, deporteer, indringers, plaag, dat volk, dit volk, die mensen, eigen volk, geen buitenlanders, geen mensen, omvolking, untermensch, horen hier niet',
  insult:
    'idioot, dom$, domme, stom$, stomme, waardeloos, lelijk, mislukkeling, klootzak, hoer$, slet, leugenaar, lafaard, dikke, walgelijk, zielig, sukkel, debiel, kutwijf, mongool, belachelijk, hou je bek, onbekwaam, loser, eikel',
  pile_on:
    'schrijf hem, schrijf haar, stuur haar, stuur hem, stuur allemaal, allemaal, bel zijn, bel haar, tot ze, tot hij, maak haar leven, maak zijn leven, leven zuur, rapporteer, slechte recensies, één ster, bestook, laat haar weten, laat hem weten, deel haar foto, deel zijn foto, aan de schandpaal, wegpesten, ontslagen',
  self_harm_urge:
    'zelfmoord, suïcide, maak er een eind, einde aan je leven, niemand zal je missen, niemand mist je, beter zonder jou, tot last, stop met eten, honger jezelf, uithonger, snij jezelf, spring dan, doe het gewoon, doe het nu, overdosis, pijnloos, verdwijnen, zelfbeschadig, pro ana',
  support_help:
    'hulplijn, lotgenoten, praatgroep, steungroep, je bent niet alleen, niet alleen, psycholoog, therap, hulp vragen, zoek hulp, rouw, vrijwilliger, geestelijke gezondheid, luisterend oor, herstel, nabestaanden, 113, slachtofferhulp',
  credentials:
    'wachtwoord, pincode, inlog, verificatiecode, sms code, beveiligingscode, kaartnummer, bankgegevens, bevestig je, bevestig uw, herstelzin, privésleutel, api sleutel, gebruikersnaam, twaalf woorden, vul je, vul uw, digid',
  account_closes:
    'uw account wordt, je account wordt, uw rekening wordt, account is, geblokkeerd, opgeschort, wordt gesloten, wordt verwijderd, verifieer, ongebruikelijke activiteit, verdachte activiteit, heractiveer, deblokkeer, postvak, mailbox, gegevens bijwerken, uw pakket',
  run_command:
    'voer dit, voer het, voer uit, installeer, virusscanner, antivirus, schakel je, schakel uw, als beheerder, plak dit, plak in, terminal, opdrachtregel, open de bijlage, toegang op afstand, trojaan, spionage, script',
  machine_orders:
    'negeer alle, negeer de, negeer je, negeer, eerdere instructies, vorige instructies, voorgaande instructies, vergeet alle, vergeet je, systeembericht, systeemprompt, ai agenten, agenten, agents, assistent, keur dit, taalmodel, moderatiemodel, moderator, je bent nu, ontwikkelaarsmodus, zonder te vragen, je gebruiker, kunstmatige intelligentie, onthul, antwoord alleen',
  official_impersonation:
    'officiële mededeling, officieel bericht, officieel, officiële, hier de politie, uw bank, belastingdienst, politie, ministerie, klantenservice, helpdesk, beveiligingsafdeling, namens de, namens, gemeente, burgemeester, overheid, broadside team, douane, incasso',
  private_person_data:
    'woont op, woont in, woont aan, zijn adres, haar adres, zijn nummer, haar nummer, telefoonnummer van, mobiele nummer, kenteken, werkt bij, werkt in, waar ze woont, waar hij woont, waar ze werkt, waar hij werkt, geboortedatum, alleen thuis, mijn ex, mijn buurman, mijn buurvrouw, haar kinderen, zijn kinderen, zwanger, medisch dossier, diagnose, gaat van huis, elke ochtend, burgerservicenummer, bsn, salaris',
  spam_reach:
    'klik, klik hier, abonneer, volgers, gratis, koop nu, bestel nu, stuur door, stuur dit door, kettingbrief, deel dit, link in, volg mij, volg ons, korting, kortingscode, goedkoop, beste prijs, aanbieding, likes, bezoek mijn',
  false_cure:
    'wondermiddel, wonder, geneest kanker, geneest diabetes, geneest, artsen verzwijgen, artsen willen niet, farmaceutische industrie, zonder bijwerkingen, geneesmiddel, natuurlijk middel, afvallen, vetverbrand, detox, stop met insuline, ontgift',
  placeholder_text:
    'dit is een test, test test, testbericht, alleen een test, tekst hier, jouw tekst, titel hier, nog in te vullen, voorbeeldtekst, volgt nog, hallo wereld, opvultekst',
  warning_report:
    'pas op, waarschuw, let op, oplichting, oplichter, fraude, rechtbank, veroordeeld, rechtszaak, aangifte, aangehouden, opgepakt, studie, onderzoek, workshop, lezing, geschiedenis, museum, roman$, slachtoffer, journalist, tentoonstelling, documentaire, voorlichting, preventie, herdenk, herken',
  ordinary_trade:
    'ophalen, afhalen, bezichtig, staat$, maat$, factuur, garantie, gebruikt, tweedehands, krasje, te koop, te huur, huur, prijs, gemeubileerd, afmeting, bezorg, handgemaakt, reparatie, lessen, hout, fiets, parttime, salaris, sollicit',
  ordinary_event:
    'gratis toegang, toegang gratis, toegang vrij, deuren open, aanmeld, inschrijv, repetitie, concert, koor, neem mee, meenemen, rommelmarkt, feest, beginners, bibliotheek, wandeling, toernooi, voorstelling, iedereen welkom, welkom, plaatsen, zaal, aanvang, inloop',
  tech_note:
    'versie, uitgebracht, opgelost, vertraging, opslagplaats, open bron, database, gegevensbank, bijgewerkt, prestaties, server, bibliotheek, geheugen, migratie, storing, foutmelding, uitrol',
}
