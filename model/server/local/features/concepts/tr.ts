import type { ConceptWords } from './concept.ts'

export const tr: ConceptWords = {
  prepayment:
    'kapora, önden ödeme, peşin ödeme, ön ödeme, para gönder, hediye kart, havale yap, önce havale, işlem ücreti, dosya masrafı, yurt dışındayım, anahtarı kargo, depozito önceden',
  easy_profit:
    'garantili, kesin kazanç, ikiye katla, risksiz, pasif gelir, kolay para, hızlı para, evden, ek gelir, deneyim gerekmez, günlük kazanç, finansal özgürlük, zengin ol',
  crypto_wallet: 'kripto, cüzdan, bitcoin, kurtarma kelime, token',
  urgency:
    'acil, acele, son şans, sadece bugün, hemen, derhal, 24 saat içinde, gece yarısı, son gün, kaçırma, beklemeyin, sınırlı',
  secrecy:
    'gizli, soru sorulmaz, soru yok, soru sormayın, belgesiz, evraksız, kimseye söyleme, kimse bilme, faturasız, anonim, sadece nakit, el altından, aramızda, iz bırakma',
  money_mule:
    'hesabınıza gelen, hesabını kirala, hesap kirala, banka hesabın, parayı aktar, gelen parayı, komisyon sizin, yüzde onu, paket teslim al, iban kirala',
  loan_lottery_prize:
    'kredi, piyango, kazandınız, kazandın, ödül, çekiliş, miras, tebrikler, talihli, ikramiye, kefilsiz',
  fake_documents:
    'sahte, ehliyet sınavsız, sınavsız, diploma satılık, hazır diploma, pasaport satılık, istediğiniz isim, rapor satılık',
  counterfeit_stolen:
    'çalıntı, çalınmış, taklit, replika, birebir kopya, seri numarası silin, klonlanmış, çalınan hesap, kaçak, nereden geldiğini',
  drugs: 'kokain, eroin, esrar, uyuşturucu, ekstazi, bonzai, gram$, metamfetamin, hap$, mantar halü, torbacı',
  medicine_without_prescription:
    'reçetesiz, reçete gerekmez, ağrı kesici, uyku hapı, yeşil reçete, kırmızı reçete, antibiyotik, düşük hapı, ilaç',
  weapons: 'tabanca, tüfek, mermi, silah, susturucu, el bombası, patlayıcı, ruhsatsız, fişek, muşta, kalaşnikof',
  protected_animals:
    'fildişi, gergedan boynuz, koruma altında, kaplumbağa, papağan, şahin, kartal, doğadan yakalan, maymun, kaplan, yuvadan, egzotik hayvan, saka kuşu',
  sexual_explicit:
    'çıplak, porno, cinsel, orgazm, penis, vajina, meme$, memeler, sikiş, yarak, azgın, erotik, mastürb, inle, seks',
  sexual_services:
    'eskort, escort, fahişe, mutlu son, erotik masaj, saatlik, otele gelir, bayan partner, gecelik, buluşma gizli, jigolo',
  threat_violence:
    'öldür, gebert, yakacağ, yakarız, döv, pişman olacak, pişman ol, nerede oturduğunu biliyor, bedelini öde, kemiklerini kır, kıracağ, dersini ver, boğaz, asacağ, linç, kan ak, geberecek',
  weapon_attack:
    'bomba, ateş aç, vuracağ, bıçak, saldır, molotof, ateşe ver, kundak, zehirle, pala$, sopa, katliam, pusu, kahraman, şehit, patlat',
  hate_dehumanising:
    'haşere, parazit, asalak, hamam böce, sıçan, pislik, aşağı ırk, geri dön, ülkenize, ülkelerine, istemiyoruz, kovul, sınır dışı, istilacı, istila, bu insanlar, defol, insan değil, vahşi, kiraya vermiyor, temizlen',
  insult:
    'aptal, salak, gerizekalı, geri zekalı, değersiz, çirkin, ezik, orospu, piç$, yalancı, korkak, şişko, iğrenç, zavallı, mal$, beceriksiz, rezil, kapa çeneni, şerefsiz, soytarı',
  pile_on:
    'hepiniz yazın, herkes yazsın, ona yazın, gidene kadar, ayrılana kadar, işinden, patronunu ara, şikayet edin, fotoğrafını paylaş, bir yıldız, hayatı zindan, hep birlikte, rezil edelim, linçle, arayın onu',
  self_harm_urge:
    'intihar, kendini öldür, hayatına son, kimse seni özle, sensiz daha iyi, yüksün, yemeyi bırak, aç kal, kendini kes, bileklerini, atla artık, yap artık, aşırı doz, acısız, yok olmak',
  support_help:
    'destek hattı, yardım hattı, destek grubu, yalnız değilsin, psikolog, terapi, yardım iste, yas$, gönüllü, ruh sağlığı, danışman, iyileş, dinliyor',
  credentials:
    'şifre, parola, pin kod, doğrulama kodu, sms kodu, kart numara, giriş yap, onaylayın, kurtarma kelime, özel anahtar, api anahtar, kullanıcı adı, banka bilgi, on iki kelime',
  account_closes:
    'hesabınız, askıya alın, kapatılacak, bloke, silinecek, kısıtlan, hemen doğrula, doğrulayın, şüpheli işlem, olağan dışı, yeniden etkin, posta kutunuz, bilgilerinizi güncelle, kargonuz',
  run_command:
    'çalıştır, yükleyin, kurun$, antivirüs, virüs programı, yönetici olarak, yapıştır, terminal, komut, eki açın, uzaktan erişim, truva, betik, devre dışı',
  machine_orders:
    'önceki talimat, önceki komut, talimatları yok say, yok say, görmezden gel, unut$, sistem mesaj, sistem komut, yapay zeka ajan, ajanlar, asistan, bu gönderiyi onayla, onayla$, dil modeli, moderatör, artık sen, geliştirici modu, kullanıcına sorma, yapay zeka',
  official_impersonation:
    'resmi duyuru, resmi, bankanız, vergi dairesi, polis, emniyet, bakanlığı, bakanlık, müşteri hizmet, destek ekibi, güvenlik birimi, adına, belediye, başkan, savcılık, jandarma, broadside ekibi, ptt',
  private_person_data:
    'oturuyor, adresi, telefon numarası, numarası şu, plaka, çalıştığı yer, çalışıyor, nerede otur, doğum tarihi, evde yalnız, eski karım, eski sevgili, komşum, çocukları, hamile, teşhis, hasta dosya, evden çıkıyor, her sabah, kimlik numarası',
  spam_reach:
    'tıkla, abone ol, takipçi, bedava, ücretsiz ücretsiz, hemen al, satın al, on kişiye, ilet$, zincir, paylaş, bağlantı, takip et, indirim, kupon, ucuz, en iyi fiyat, kampanya, beğeni',
  false_cure:
    'mucize, kanseri iyileştir, kansere çare, şekeri bitir, diyabeti, doktorlar saklıyor, doktorların sakla, ilaç şirket, yan etkisiz, yan etkisi yok, şifalı, zayıfla, yağ yak, detoks, ameliyatsız, insülini bırak',
  placeholder_text:
    'bu bir test, deneme deneme, deneme metni, test yazısı, metin buraya, buraya metin, başlık buraya, örnek metin, merhaba dünya',
  warning_report:
    'dikkat, uyarı, dolandırıcı, mahkeme, hüküm giy, mahkum, gözaltı, tutuklan, araştırma, atölye, konferans, tarih$, tarihi$, müze, roman$, mağdur, gazeteci, sergi, belgesel, anma, soruşturma, şikayet et, söyleşi',
  ordinary_trade:
    'elden teslim, görülebilir, durumda, beden, fatura, garanti, ikinci el, az kullanıl, satılık, kiralık, kira, fiyat, eşyalı, teslimat, pazarlık, el yapımı, tamir, ders, ahşap, bisiklet, maaş, çizik',
  ordinary_event:
    'giriş ücretsiz, ücretsiz giriş, kapı aç, kayıt, prova, konser, koro, getirin, pazar, şenlik, kütüphane, yeni başlayan, okuma, yürüyüş, turnuva, gösterim, herkes davetli, bekliyoruz, buluşma, salon',
  tech_note:
    'sürüm, düzeltildi, hata gider, derleme, gecikme, depo$, açık kaynak, veritabanı, güncelleme, performans, sunucu, kütüphane, sorgu, bellek, önbellek, yayınlandı',
}
