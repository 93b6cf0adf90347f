import type { ConceptWords } from './concept.ts'

export const it: ConceptWords = {
  prepayment:
    'inviare denaro, invia i soldi, carta regalo, buono regalo, bonifico anticipato, pagamento anticipato, in anticipo, caparra, acconto, spese di pratica, ricarica postepay, postepay, sono all’estero, spedisco le chiavi',
  easy_profit:
    'guadagno garantito, guadagni garantiti, rendimento garantito, garantit, raddoppia, senza rischi, reddito passivo, rendita passiva, soldi facili, da casa, libertà finanziaria, senza esperienza, diventa ricco',
  crypto_wallet: 'criptovalut, cripto, portafoglio, bitcoin, frase seme, token',
  urgency:
    'urgente, affrettati, ultima occasione, solo oggi, subito, immediatamente, entro 24 ore, entro mezzanotte, posti limitati, ultimi posti, non aspettare, scade, ultimo avviso',
  secrecy:
    'discret, discrezione, senza domande, nessuna domanda, senza documenti, non dirlo, in segreto, nessuno saprà, busta anonima, pacco anonimo, anonim, senza fattura, in nero, solo contanti, riservat, senza tracce',
  money_mule:
    'ricevere bonifici, ricevi bonifici, tuo conto, presta il conto, affitta il conto, inoltrare il denaro, inoltri, trattieni, commissione per bonifico, ricevere pacchi, rispedire, agente di pagamento',
  loan_lottery_prize:
    'prestito, prestiti, lotteria, hai vinto, ha vinto, premio, vincitore, eredità, beneficiario, congratulazioni, complimenti hai, estrazione, senza busta paga, cattivi pagatori',
  fake_documents:
    'documenti falsi, passaporto falso, diploma falso, patente falsa, falsificat, patente senza esame, senza esame, lauree, diplomi su misura, qualsiasi nome, banconote false, recensioni false, carta d’identità falsa',
  counterfeit_stolen:
    'rubat, contraffatt, replica, imitazione, copia perfetta, senza matricola, matricola abrasa, carte clonate, account rubati, merce calda, non chiedere da dove, ricettazione',
  drugs:
    'cocaina, eroina, marijuana, hashish, erba$, ecstasy, anfetamin, funghi allucin, grammi, grammo, droga, spaccia, ketamina, fumo$, steroidi',
  medicine_without_prescription:
    'senza ricetta, senza prescrizione, antidolorific, sonnifer, ansiolitic, pastiglie, compresse, antibiotic, pillola abortiva, farmac, tramadolo, morfina',
  weapons:
    'pistola, fucile, munizioni, armi$, arma$, silenziatore, bomba a mano, esplosiv, senza porto d’armi, proiettili, mitra$, tirapugni, coltello a scatto, cartucce',
  protected_animals:
    'avorio, corno di rinoceronte, specie protett, tartarug, pappagall, rapace, aquila, falco, cardellin, animali esotici, cuccioli di, scimmi, tigre, dal nido, cattur',
  sexual_explicit:
    'nuda$, nudo$, porno, sessual, orgasmo, pene$, vagina, tette, cazzo, figa$, scopare, masturb, erotic, eccitat, capezzol, pompino, culo$, sesso, gemeva',
  sexual_services:
    'escort, prostitut, massaggio erotico, massaggi rilassanti completi, lieto fine, accompagnatrice, ricevo in, anche hotel, all’ora, incontri discreti, incontri, trans$, signori distinti, notte intera',
  threat_violence:
    'ti ammazzo, ammazzare, uccid, ucciso, bruciare, brucio, spaccare la faccia, spacco, spezzare le, te ne pentirai, pentirai, la pagherai, pagheranno, la pagherete, so dove abiti, sappiamo dove, pestare, picchia, sgozz, strangol, linciare, una lezione, sangue, morto$, morire',
  weapon_attack:
    'bomba, sparare, sparatoria, accoltell, coltelli, attentato, molotov, dare fuoco, incendi, investire con, avvelen, machete, agguato, massacro, strage, mazze, eroe$, martire, far saltare, attacc',
  hate_dehumanising:
    'parassit, scarafagg, topi$, ratti$, feccia, razza inferiore, tornate a casa, torna al tuo paese, a casa loro, non sono benvenut, espell, cacciar, invasori, invasione, questa gente, quella gente, subuman, non sono persone, selvaggi, infest, zingari, non affitt, fuori dal',
  insult:
    'idiota, stupid, cretin, imbecill, inutile, brutt, schifo, schifos, grassona, ciccion, bugiard, stronz, puttana, troia$, pagliaccio, fallit, ridicol, vergogn, coglion, merda, sfigat, codard, spazzatura, zitta, incapace',
  pile_on:
    'scrivetele, scrivetegli, scriviamole, tutti a scrivere, chiamate il suo, finché non, fatela, fategli, rendete la vita, vita impossibile, segnalate il suo, segnalate tutti, condividete la sua foto, recensioni negative, una stella, tempest, licenziare, tutti insieme contro, diffondete',
  self_harm_urge:
    'suicid, togliti la vita, ucciditi, ammazzati, falla finita, nessuno sentirà la tua, non mancherai a, meglio senza di te, un peso, smetti di mangiare, digiuno di, tagliati, autolesion, buttati, fallo e basta, overdose, senza dolore, sparire, sfida',
  support_help:
    'telefono amico, linea di ascolto, numero verde, gruppo di sostegno, gruppo di auto, non sei sol, psicolog, terapia, terapeut, chiedere aiuto, chiedi aiuto, lutto, volontari, salute mentale, ascolto, sostegno, guarigione',
  credentials:
    'password, parola d’ordine, codice di verifica, codice sms, codice che, numero della carta, numero di carta, dati bancari, credenziali, accedi per, acceda, conferma i tuoi, confermi i, conferma la, frase di recupero, chiave privata, chiave api, inserisci, dodici parole',
  account_closes:
    'il tuo conto sarà, il suo conto, tuo account, suo account, sarà sospes, sarà bloccat, sarà chius, è stato bloccat, è stato sospes, verifica il, verifica subito, verifichi, attività sospett, attività insolit, evitare il blocco, riattiv, casella di posta, aggiorna i tuoi dati, pacco in giacenza',
  run_command:
    'esegui, eseguite, lancia lo script, installa, installate, disattiva l’antivirus, disattivate, antivirus, come amministratore, incolla, terminale, riga di comando, apri l’allegato, accesso remoto, trojan, virus, macro$, script',
  machine_orders:
    'ignora le istruzioni, ignora tutte, ignorate, ignora le tue, istruzioni precedenti, dimentica tutte, dimentica le, messaggio di sistema, sistema$, agenti ia, agenti ai, agenti che, tutti gli agenti, assistente, assistenti, approva questo, approvate, modello linguistico, modello di moderazione, moderatore, ora sei, modalità sviluppatore, senza chiedere, tuo utente, intelligenza artificiale, rivela, classifica questo, rispondi solo',
  official_impersonation:
    'comunicato ufficiale, avviso ufficiale, ufficial, qui è la polizia, la sua banca, la tua banca, agenzia delle entrate, polizia, carabinieri, guardia di finanza, ministero, inps, poste italiane, assistenza clienti, servizio clienti, squadra di supporto, per conto di, a nome di, comune di, sindaco, questura, governo, team di broadside',
  private_person_data:
    'abita in, abita al, abita a, vive in via, il suo indirizzo, suo numero, suo telefono, suo cellulare, targa, lavora presso, lavora in, lavora al, dove lavora, dove abita, data di nascita, da sola in casa, sola in casa, mia ex, mio ex, mio vicino, vicina di casa, i suoi figli, sua scuola, incinta, cartella clinica, diagnosi, sieropositiv, esce di casa, ogni mattina, codice fiscale, suo stipendio',
  spam_reach:
    'clicca, clicca qui, iscriviti, iscrivetevi, follower, gratis, compra ora, acquista ora, inoltra a, inoltra, catena, condividi, link in, seguimi, seguiteci, codice sconto, sconto, sconti, offert, miglior prezzo, economic, mi piace, visita il',
  false_cure:
    'cura miracolosa, miracolos, guarisce, guarire dal, cura il cancro, cura il diabete, i medici nascondono, medici non vogliono, case farmaceutiche, senza effetti collaterali, rimedio, dimagri, brucia grassi, detox, disintossic, senza chirurgia, abbandona l’insulina',
  placeholder_text:
    'testo di prova, prova prova, questa è una prova, solo una prova, inserire testo, inserisci testo, testo qui, titolo qui, da definire, da completare, testo di esempio, ciao mondo',
  warning_report:
    'attenzione alle, attenzione a, attenti, avviso, allarme, truffa, truffator, tribunale, condannat, processo, denuncia, arrestat, studio$, laboratorio, conferenza, storia, museo, romanzo, ricerca, vittim, non pagate, giornalist, mostra$, documentario, prevenzione, memoria, indagin, sequestr',
  ordinary_trade:
    'ritiro, visita, buono stato, buone condizioni, condizioni, taglia, fattura, garanzia, usat, vendo, affitto, affittasi, prezzo, arredat, misure, consegna, trattabil, fatto a mano, riparazion, lezioni, legno, bicicletta, stipendio, contratto, graffi',
  ordinary_event:
    'ingresso libero, ingresso gratuito, apertura porte, porte, iscrizion, prove$, concerto, coro$, portate, portare, mercatino, festa, biblioteca, posti, principianti, lettura, passeggiata, escursione, benvenuti, torneo, proiezione, spettacolo, ritrovo',
  tech_note:
    'versione, rilascio, rilasciat, corrett, compilazione, latenza, repository, sorgente, banca dati, base di dati, aggiornamento, prestazioni, server, libreria, interrogazione, memoria, migrazione, guasto',
}
