import type { ConceptWords } from './concept.ts'

export const sw: ConceptWords = {
  prepayment:
    'tuma pesa, lipa kwanza, malipo ya awali, malipo kabla, kadi ya zawadi, ada ya usajili, ada ya usindikaji, mpesa kwanza, m pesa, amana kwanza, niko nje ya nchi, kianzio',
  easy_profit:
    'faida ya uhakika, faida ya haraka, uhakika, maradufu, mara mbili ya, bila hatari, pesa rahisi, pesa za haraka, ukiwa nyumbani, tajiri, bila uzoefu, kila siku pata',
  crypto_wallet: 'sarafu za kidijitali, bitcoin, pochi ya, kripto, maneno ya siri',
  urgency:
    'haraka, sasa hivi, nafasi ya mwisho, leo tu, ndani ya saa, mara moja, usikose, usichelewe, kabla ya usiku, dharura',
  secrecy:
    'kwa siri, siri$, bila maswali, hakuna maswali, bila karatasi, usimwambie, msimwambie, hakuna atakayejua, bila risiti, fedha taslimu tu, usiulize',
  money_mule:
    'akaunti yako ya benki, pokea pesa, kupokea pesa, tuma zilizobaki, kodisha akaunti, kaa na asilimia, kamisheni kwa kila, pokea vifurushi',
  loan_lottery_prize:
    'mkopo, mikopo, bahati nasibu, umeshinda, mshindi, zawadi ya pesa, urithi, hongera, bila dhamana, droo',
  fake_documents:
    'bandia, ghushi, cheti bandia, pasipoti bandia, leseni bila, bila mtihani, vyeti, kwa jina lolote, kughushi',
  counterfeit_stolen:
    'ya wizi, za wizi, wizi, iliyoibwa, zilizoibwa, imeibwa, nakala ya, magendo, usiulize imetoka, zimeibiwa',
  drugs: 'bangi, kokeni, heroini, dawa za kulevya, mihadarati, unga$, gramu, mirungi',
  medicine_without_prescription:
    'bila cheti cha daktari, bila agizo la daktari, bila daktari, dawa za usingizi, dawa za maumivu, antibiotiki, kutoa mimba, vidonge',
  weapons: 'bunduki, bastola, risasi, silaha, bomu la mkono, vilipuzi, bila kibali, bila leseni',
  protected_animals:
    'pembe za ndovu, pembe ya ndovu, kifaru, kobe, kasuku, kakakuona, chui, simba, nyara, wanyamapori, tai$, tumbili, spishi',
  sexual_explicit: 'uchi, ngono, porno, kuma$, mboo, matiti, kutomba, tomba, nyege, picha chafu',
  sexual_services: 'kahaba, malaya, masaji ya, huduma kamili, kwa saa, usiku mzima, danguro, escort, huduma za kikubwa',
  threat_violence:
    'nitakuua, tutakuua, kuua, tutawaua, uawe, kuchoma nyumba, nitachoma, tutachoma, kumpiga, tutampiga, nitakupiga, utajuta, mtajuta, utalipia, tunajua unakoishi, najua unakoishi, kuvunja miguu, vunja, mtafundishwa, funzo, damu',
  weapon_attack:
    'bomu, kupiga risasi, piga risasi, choma kisu, kisu$, visu, panga$, mapanga, shambulia, shambulio, choma moto, teketeza, sumu, mauaji, shujaa, shahidi, marungu',
  hate_dehumanising:
    'mende$, panya$, kupe$, vimelea, takataka, wadudu, rudini kwenu, rudi kwenu, hawakaribishwi, fukuz, wafukuzwe, wavamizi, watu hawa, watu hao, si binadamu, washenzi, wachafu',
  insult:
    'mjinga, wajinga, mpumbavu, pumbavu, mbwa$, huna maana, mbaya sura, sura mbaya, mwongo, mwoga, punda, fala$, bure kabisa, mnene, chizi, nyamaza',
  pile_on:
    'mwandikieni, wote mwandik, mpigieni, mpigieni simu, mpaka aondoke, hadi aondoke, mfukuzeni, ripotini, sambazeni picha, nyota moja, mwaibish, tumwandame, sote',
  self_harm_urge:
    'jiue, kujiua, ujiue, maliza maisha, hakuna atakayekukumbuka, hakuna atakayekukosa, bora bila wewe, mzigo, acha kula, jinyime chakula, jikate, ruka tu, fanya tu, bila maumivu',
  support_help:
    'simu ya msaada, namba ya msaada, kikundi cha msaada, ushauri nasaha, ushauri, hauko peke yako, huko peke yako, mshauri, afya ya akili, omba msaada, tafuta msaada, wajitoleaji, faraja, msiba',
  credentials:
    'nenosiri, neno la siri, nywila, pin yako, namba ya siri, nambari ya siri, msimbo, kodi ya uthibitisho, ingia ili, thibitisha, namba ya kadi, maneno ya kurejesha, ufunguo',
  account_closes:
    'akaunti yako itafungwa, akaunti yako ime, akaunti yako, itafungwa, imefungwa, itasimamishwa, imesimamishwa, hakiki sasa, thibitisha sasa, shughuli isiyo, sasisha taarifa, kufungiwa',
  run_command:
    'endesha, sakinisha, pakua faili, zima antivirus, kama msimamizi, bandika, amri$, fungua kiambatisho, virusi',
  machine_orders:
    'puuza maagizo, puuza maelekezo, puuza, maagizo ya awali, maagizo yaliyotangulia, maelekezo ya awali, sahau maagizo, ujumbe wa mfumo, mfumo$, mawakala, wakala wa ai, msaidizi, idhinisha chapisho, idhinisha, kubali chapisho, modeli ya lugha, msimamizi wa, sasa wewe ni, akili bandia, akili mnemba',
  official_impersonation:
    'tangazo rasmi, taarifa rasmi, rasmi, benki yako, mamlaka ya mapato, polisi, wizara, huduma kwa wateja, timu ya usaidizi, kwa niaba ya, serikali, halmashauri, meya, kitengo cha usalama',
  private_person_data:
    'anaishi, anakaa, anwani yake, namba yake, nambari yake, simu yake, namba ya gari, anafanya kazi, anapofanya kazi, tarehe ya kuzaliwa, peke yake nyumbani, mke wangu wa zamani, jirani yangu, watoto wake, mjamzito, ana ukimwi, kila asubuhi',
  spam_reach:
    'bofya, bonyeza, jiunge, wafuasi, bure bure, nunua sasa, agiza sasa, tuma kwa watu kumi, sambaza, shiriki, nifuate, punguzo, bei nafuu, bei rahisi, ofa$',
  false_cure:
    'muujiza, miujiza, huponya saratani, inaponya, tiba ya ajabu, tibu kisukari, huponya, madaktari wanaficha, wanaficha, bila madhara, mganga, punguza uzito, dawa ya asili, tiba ya uhakika',
  placeholder_text:
    'jaribio jaribio, hili ni jaribio, maandishi hapa, weka maandishi, kichwa hapa, mfano wa maandishi, habari dunia',
  warning_report:
    'tahadhari, onyo, jihadhari, jihadharini, utapeli, matapeli, tapeli, mahakama, alihukumiwa, hukumu, kesi$, walikamatwa, alikamatwa, utafiti, warsha, mhadhara, historia, makumbusho, riwaya, waathirika, mwandishi wa habari, maonyesho, elimu',
  ordinary_trade:
    'kuchukua, kuja kuona, hali nzuri, saizi, ankara, risiti, dhamana ya, imetumika, inauzwa, nauza, kupangisha, kodi ya nyumba, bei$, samani, usafirishaji, mazungumzo, ukarabati, masomo ya, mbao, baiskeli, mshahara',
  ordinary_event:
    'kiingilio bure, kiingilio, milango, kujiandikisha, usajili, mazoezi, tamasha, kwaya, leta$, leteni, soko$, maktaba, wanaoanza, kusoma, matembezi, mashindano, karibuni, wote mnakaribishwa, mkutano, ukumbi',
  tech_note:
    'toleo, imerekebishwa, hitilafu, hifadhidata, seva, sasisho, chanzo huria, ucheleweshaji, kumbukumbu ya, programu',
}
