import type { ConceptWords } from './concept.ts'

export const pl: ConceptWords = {
  prepayment:
    'przedpłat, zaliczk, z góry, przelej, wyślij pieniądze, wpłać najpierw, karta podarunkowa, karty podarunkowe, karty podarunkowej, opłata manipulacyjna, opłata wstępna, kaucja przed, kod blik, blik, jestem za granicą, wyślę klucze, western union',
  easy_profit:
    'gwarantowan, podwój, podwoisz, bez ryzyka, dochód pasywny, pasywny dochód, łatwe pieniądze, szybkie pieniądze, pracy z domu, praca w domu, wolność finansowa, zysk dzienny, bez doświadczenia, zarabiaj, pewny zysk',
  crypto_wallet: 'kryptowalut, krypto, portfel, bitcoin, fraza odzyskiwania, token',
  urgency:
    'pilne, pilnie, spiesz, pospiesz, ostatnia szansa, tylko dziś, tylko dzisiaj, natychmiast, w ciągu 24, przed północą, ostatnie miejsca, nie czekaj, nie przegap, wygasa, ostateczne',
  secrecy:
    'dyskret, bez pytań, bez papierów, nie mów nikomu, nikomu nie mów, nikt się nie dowie, anonimow, bez faktury, na czarno, tylko gotówka, poufn, bez śladu, nie pytaj, w tajemnicy, neutralna paczka',
  money_mule:
    'twoje konto, twoim koncie, użycz konta, wynajmij konto, odbierać przelewy, odbierasz przelewy, przesyłać dalej, przesyłasz dalej, przekaż dalej, zatrzymujesz, prowizja od, słup$, odbieranie paczek',
  loan_lottery_prize:
    'pożyczk, loteri, wygrałeś, wygrałaś, wygrana, nagrod, zwycięzc, spadek, spadk, gratulacj, losowani, bez bik, chwilówk, kredyt bez, beneficjent',
  fake_documents:
    'fałszyw, podrobion, lewe papiery, lewy dowód, prawo jazdy bez, bez egzaminu, dyplom na zamówienie, dyplomy, paszporty na, kolekcjonersk, na dowolne nazwisko, zwolnienie lekarskie bez',
  counterfeit_stolen:
    'kradzion, skradzion, podróbk, replik, bez numeru seryjnego, sklonowan, przejęte konta, paser, nie pytaj skąd, lewy towar, trefn',
  drugs:
    'kokain, heroin, marihuan, haszysz, zioło, amfetamin, ekstazy, grzybki, gram$, gramy, narkotyk, mefedron, dopalacz, ketamin, kryształ, sterydy, towar$',
  medicine_without_prescription:
    'bez recepty, tabletki, leki$, przeciwbólow, nasenn, uspokajając, antybiotyk, poronn, tramadol, morfin, oksykodon, ozempic',
  weapons:
    'pistolet, karabin, amunicj, broń, broni$, tłumik, granat, wybuchow, strzelb, rewolwer, bez pozwolenia, naboje, kastet, nóż sprężynowy',
  protected_animals:
    'kość słoniow, kości słoniowej, róg nosorożca, gatunek chroniony, gatunki chronione, żółw, papug, orzeł, sokół, sokoł, dziki ptak, egzotyczne zwierz, małp, tygrys, z gniazda, piskl, chronion',
  sexual_explicit:
    'naga$, nago$, nagie, porno, seksualn, orgazm, penis, pochw, cycki, kutas, cipka, cipk, ruchać, pieprzyć, masturb, erotyczn, podniecon, sutk, jęcza, seks$',
  sexual_services:
    'prostytut, masaż erotyczny, masaż z finałem, dziewczyna do towarzystwa, panie do towarzystwa, escort, agencja towarzyska, za godzinę, sponsoring, sponsora, dyskretne spotkania, dla panów, burdel',
  threat_violence:
    'zabij, zabić, zabiję, zabijemy, spalę, spalimy, spalić, pobić, pobij, pożałuj, zapłacisz za, zapłacą, wiem gdzie mieszk, wiemy gdzie, połamać, połamię, połamiemy, nauczk, udusz, powiesić, zarżn, krew$, zginiesz, zdech, uważaj na siebie, wpierdol',
  weapon_attack:
    'bomb, strzela, zastrzel, zamach, nóż$, noże$, dźgn, mołotow, podpal, rozjech, otruj, otruć, maczet, kije$, pały$, masakr, zasadzk, bohater, męczennik, wysadz, atak',
  hate_dehumanising:
    'robactwo, pasożyt, karaluch, szczur, hołot, podludz, bydło, gorsza rasa, niższa rasa, wracajcie, wracaj do, won$, wynocha, nie są mile, nie są tu mile, wypędz, deport, najeźdźc, inwazj, zaraz, ci ludzie, tacy ludzie, precz, nie wynajm, dzicz, plag, banderow, ciapat',
  insult:
    'idiot, głup, debil, kretyn, bezwartościow, brzydk, brzydal, gruba$, grubas, obrzydliw, żałosn, kłamc, tchórz, nieudaczni, szmat, kurw, dziwk, suka$, śmieć, frajer, pajac, zamknij się, beznadziejn, ośmiesz, cham$, imbecyl',
  pile_on:
    'piszcie do, napiszcie do, wszyscy piszcie, niech wszyscy, dzwońcie do, aż odejdzie, aż się, aż zniknie, uprzykrz, zgłaszajcie, zgłoście jego, zgłoście jej, udostępnij jej, udostępniajcie, zniszczmy, jedna gwiazdka, zasypcie, wyśmiej, pokażcie jej, pokażcie mu, zwolnili',
  self_harm_urge:
    'samobój, zabij się, skończ ze sobą, odbierz sobie życie, skończ swoje życie, nikt nie będzie tęsknił, nikt za tobą, lepiej bez ciebie, ciężarem, przestań jeść, głodówk, głodź, potnij się, tnij się, skocz, zrób to wreszcie, po prostu to zrób, przedawk, bezbolesn, zniknąć, wyzwanie',
  support_help:
    'telefon zaufania, infolini, grupa wsparcia, grupy wsparcia, nie jesteś sam, psycholog, terapi, terapeut, poproś o pomoc, szukaj pomocy, żałob, wolontariusz, zdrowie psychiczne, wsparci, pomoc psychologiczna, powrót do zdrowia, wysłucha',
  credentials:
    'hasło, hasła$, haseł, kod weryfikac, kod sms, kod z sms, numer karty, dane logowania, dane do logowania, zaloguj, potwierdź swoje, potwierdź dane, fraza, klucz prywatny, klucz api, podaj kod, podaj pesel, pin$, dwanaście słów',
  account_closes:
    'twoje konto zostanie, konto zostanie, konto zostało, zablokowan, zawieszon, zostanie usunięt, zostanie zamknięt, zweryfikuj, nietypowa aktywność, podejrzana aktywność, odblokuj, reaktyw, skrzynka pocztowa, zaktualizuj dane, twoja paczka, dopłata do paczki',
  run_command:
    'uruchom, zainstaluj, wyłącz antywirus, antywirus, jako administrator, wklej, terminal, wiersz poleceń, otwórz załącznik, zdalny dostęp, trojan, złośliw, makra, skrypt, polecenie',
  machine_orders:
    'zignoruj, ignoruj, poprzednie instrukcje, poprzednich instrukcji, wcześniejsze polecenia, zapomnij o, komunikat systemowy, wiadomość systemowa, systemow, agenci, agentów ai, agent ai, asysten, zatwierdź ten, zaakceptuj ten, model językowy, modelu językowego, moderator, jesteś teraz, tryb deweloper, bez pytania, swojego użytkownika, sztuczna inteligencja, ujawnij, odpowiedz tylko',
  official_impersonation:
    'komunikat oficjalny, oficjaln, tu policja, twój bank, państwa bank, urząd skarbowy, urzędu skarbowego, policja informuje, policj, ministerstw, zus$, obsługa klienta, dział bezpieczeństwa, zespół wsparcia, pomoc techniczna, w imieniu, urząd miasta, burmistrz, prezydent miasta, rząd$, zespół broadside, poczta polska, straż',
  private_person_data:
    'mieszka przy, mieszka na, mieszka w, jej adres, jego adres, jej numer, jego numer, jej telefon, jego telefon, numer rejestracyjny, rejestracj auta, pracuje w, gdzie pracuje, gdzie mieszka, data urodzenia, sama w domu, sam w domu, moja była, mój były, mój sąsiad, moja sąsiadka, jej dzieci, jego dzieci, w ciąży, diagnoz, dokumentacja medyczna, pesel, wychodzi z domu, codziennie o',
  spam_reach:
    'kliknij, klikaj, subskryb, obserwując, obserwuj, za darmo, darmow, kup teraz, zamów teraz, prześlij dalej, wyślij do dziesięciu, łańcusz, udostępnij, link w, polub, lajk, kod rabatowy, rabat, taniej, tanio, najlepsza cena, promocj, odwiedź, dołącz do',
  false_cure:
    'cudown, leczy raka, leczy cukrzycę, wyleczy, uzdrawia, lekarze ukrywają, lekarze nie chcą, koncerny farmaceutyczne, bez skutków ubocznych, schudn, odchudz, spala tłuszcz, detoks, oczyszcza organizm, odstaw insulin, tajna receptura, naturalny lek',
  placeholder_text:
    'to jest test, test test, tylko test, wpis testowy, tekst tutaj, wstaw tekst, tytuł tutaj, do uzupełnienia, przykładowy tekst, witaj świecie',
  warning_report:
    'uwaga na, uważajcie, ostrzeż, ostrzega, oszust, oszuści, wyłudz, sąd$, sądu$, skazan, proces$, zatrzyman, badani, badacz, warsztat, wykład, histori, muzeum, powieść, ofiar, nie płać, dziennikar, wystaw, dokument filmowy, profilaktyk, pamięci, śledztw, policja zatrzymała, zgłoś na',
  ordinary_trade:
    'odbiór, oglądanie, stan$, stanie$, rozmiar, faktur, gwarancj, używan, sprzedam, wynajmę, czynsz, cena, umeblowan, wymiary, dostaw, do negocjacji, ręcznie, napraw, korepetycj, drewn, rower, etat, wynagrodzenie, umowa, rys',
  ordinary_event:
    'wstęp wolny, wstęp bezpłatny, bezpłatny wstęp, otwarcie drzwi, zapis, prób, koncert, chór, przynieś, przynieście, zabierz, kiermasz, festyn, bibliotek, miejsc, początkując, czytanie, spacer, wycieczk, zapraszamy, turniej, pokaz, spotkanie, sala$',
  tech_note:
    'wersj, wydanie, naprawion, poprawk, kompilac, opóźnien, repozytorium, otwarty kod, baza danych, bazy danych, wdroż, aktualizac, wydajno, serwer, bibliotek, zapytani, pamięci$, migracj, awari',
}
