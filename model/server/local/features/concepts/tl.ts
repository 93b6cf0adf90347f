import type { ConceptWords } from './concept.ts'

export const tl: ConceptWords = {
  prepayment:
    'magpadala ng pera, padala muna, bayad muna, paunang bayad, downpayment, gcash muna, processing fee, transfer dulu, bayar dulu, bayar di muka, uang muka, dp dulu, kirim uang, kartu hadiah, pulsa dulu, biaya admin, biaya pendaftaran, biaya proses, nasa abroad, di luar negeri',
  easy_profit:
    'garantisado, siguradong kita, doblehin, doble ang pera, walang risk, walang talo, kita araw araw, madaling pera, kahit nasa bahay, dijamin, pasti untung, untung pasti, gandakan, tanpa risiko, pendapatan pasif, uang mudah, dari rumah, tanpa pengalaman, cuan, kaya mendadak',
  crypto_wallet: 'bitcoin, kripto, dompet digital, dompet kripto, frasa pemulihan, aset kripto',
  urgency:
    'bilisan, magmadali, huling pagkakataon, ngayon lang, ngayon din, agad, madalian, segera, buruan, cepat sebelum, kesempatan terakhir, hanya hari ini, dalam 24 jam, sebelum tengah malam, jangan lewatkan, mendesak, terbatas',
  secrecy:
    'walang tanong, walang papeles, huwag sabihin, wag sabihin, palihim, sikreto, lihim, walang makakaalam, cash lang, rahasia, tanpa pertanyaan, tanpa tanya, tanpa surat, jangan bilang, jangan beri tahu, diam diam, tanpa jejak, kemasan polos, tunai saja',
  money_mule:
    'bank account mo, tumanggap ng pera, ipasa ang pera, ipapasa, paupahan ang account, rekening anda, rekening kamu, sewa rekening, jual rekening, terima transfer, terima kiriman, teruskan uang, teruskan sisanya, komisi per transfer',
  loan_lottery_prize:
    'pautang, nanalo ka, panalo, premyo, loterya, mana$, binabati, pinjaman, pinjol, undian, anda menang, pemenang, hadiah uang, warisan, selamat anda, tanpa jaminan, tanpa bi checking',
  fake_documents:
    'pekeng, peke$, lisensya walang, walang exam, diploma na gawa, kahit anong pangalan, palsu, ijazah, sim tanpa tes, tanpa ujian, paspor palsu, ktp palsu, aspal, nama apa saja, uang palsu',
  counterfeit_stolen:
    'nakaw, ninakaw, class a, gaya sa, curian, hasil curi, barang tiruan, tiruan, kw super, tanpa nomor seri, kloning, akun hasil, selundup, bm$, jangan tanya dari mana, huwag itanong kung saan',
  drugs: 'shabu, marijuana, droga, damo$, kokain, heroin, ganja, sabu$, narkoba, ekstasi, inex, gramo, gram$',
  medicine_without_prescription:
    'walang reseta, hindi kailangan ng reseta, pampatulog, pampalaglag, gamot na, tanpa resep, obat tidur, obat penenang, obat aborsi, penggugur, tramadol, antibiotik, obat keras',
  weapons:
    'baril, bala$, granada, paltik, walang lisensya, pampasabog, senapan, pistol, amunisi, peluru, senjata, peredam, granat, bahan peledak, tanpa izin',
  protected_animals:
    'garing$, pawikan, loro$, agila, pangolin, balintong, unggoy, ligaw na hayop, gading, cula badak, trenggiling, kura kura, burung elang, elang jawa, kakatua, satwa, dilindungi, harimau, orangutan, dari sarang',
  sexual_explicit:
    'hubad, hubo, kantot, puke$, titi$, suso$, malibog, jakol, telanjang, bugil, kontol, memek, ngentot, bokep, payudara, orgasme, mesum, seks',
  sexual_services:
    'pokpok, walker$, masahe na may, extra service, bayarang babae, gabi gabi, pelacur, pijat plus, open bo, bo$, cewek panggilan, layanan lengkap, per jam, teman tidur, psk',
  threat_violence:
    'papatayin, patayin, mamamatay ka, susunugin, sunugin, bubugbugin, bugbugin, magsisisi ka, pagsisisihan, alam ko kung saan, alam namin kung, babaliin, pagbabayaran, turuan ng leksyon, bunuh, dibunuh, habisi, bakar rumah, kubakar, pukuli, hajar$, menyesal, kami tahu di mana, aku tahu di mana, patahkan, beri pelajaran, gantung, darah, dugo',
  weapon_attack:
    'bomba, barilin, saksak, saksakin, kutsilyo, itak, atake, lusob, lason, bayani, bom$, tembak, tusuk, pisau, parang, serang, serbu, bom molotov, racun, pembantaian, pahlawan, syahid, ledakkan',
  hate_dehumanising:
    'peste, salot, ipis, daga$, linta, hayop sila, umuwi kayo, bumalik kayo, hindi kayo welcome, palayasin, mga taong ito, hindi tao, mananakop, kecoa, tikus, parasit, hama$, sampah masyarakat, pulang ke, tidak diterima, usir, penjajah, orang orang ini, mereka semua, bukan manusia, ras rendah, aseng, kafir',
  insult:
    'tanga, bobo$, gago, ulol, pangit, inutil, walang kwenta, tarantado, puta, putang ina, sinungaling, duwag, taba$, kadiri, basura, bodoh, goblok, tolol, idiot, jelek, tidak berguna, bajingan, anjing$, babi$, pembohong, pengecut, menjijikkan, pecundang, bangsat, sampah',
  pile_on:
    'sulatan niyo, sulatan natin, i message niyo, lahat tayo, hanggang umalis, hanggang sa umalis, i report niyo, ireport, ikalat, ipahiya, tawagan niyo, kirimi dia, ramai ramai, serbu akun, sampai dia, laporkan akun, sebarkan foto, bintang satu, permalukan, telepon bos, viralkan, ayo semua',
  self_harm_urge:
    'magpakamatay, tapusin mo na, tapusin ang buhay, walang makakamiss, walang maghahanap, pabigat, wag ka nang kumain, huwag kang kumain, maglaslas, tumalon, gawin mo na, bunuh diri, akhiri hidup, tidak ada yang merindukan, lebih baik tanpa kamu, lebih baik tanpamu, beban, berhenti makan, sayat, lompat saja, lakukan saja, overdosis, tanpa rasa sakit',
  support_help:
    'hotline, hindi ka nag iisa, tulong, suporta, tagapayo, kalusugan ng isip, layanan konseling, konseling, kelompok dukungan, kamu tidak sendiri, anda tidak sendiri, psikolog, terapi, minta bantuan, relawan, kesehatan jiwa, kesehatan mental, berduka, pemulihan',
  credentials:
    'password, otp, ibigay ang code, ilagay ang, mag log in, kumpirmahin, numero ng card, kata sandi, sandi$, kode verifikasi, kode otp, nomor kartu, masuk untuk, konfirmasi, data bank, frasa pemulihan, kunci pribadi, kunci api, masukkan',
  account_closes:
    'ang account mo, iyong account, masususpinde, isasara, i verify, beripikahin, akun anda, akun kamu, rekening anda akan, akan diblokir, diblokir, ditangguhkan, akan ditutup, akan dihapus, verifikasi sekarang, aktivitas mencurigakan, aktivitas tidak biasa, perbarui data, paket anda',
  run_command:
    'patakbuhin, i install, i run, i disable, i paste, jalankan, pasang aplikasi, instal, matikan antivirus, nonaktifkan, sebagai administrator, tempel, perintah ini, terminal, buka lampiran, akses jarak jauh, skrip',
  machine_orders:
    'huwag pansinin, balewalain, naunang utos, naunang tagubilin, kalimutan ang, aprubahan, katulong na ai, mga agent, mga ai, abaikan, instruksi sebelumnya, perintah sebelumnya, lupakan semua, pesan sistem, sistem$, agen ai, para agen, semua agen, asisten, setujui postingan, setujui, loloskan, model bahasa, moderator, sekarang kamu adalah, mode pengembang, tanpa bertanya, kecerdasan buatan',
  official_impersonation:
    'opisyal, ang iyong bangko, pulisya, kagawaran, bir$, pamahalaan, sa ngalan ng, pengumuman resmi, resmi, bank anda, kantor pajak, polisi, kepolisian, kementerian, layanan pelanggan, tim dukungan, atas nama, pemerintah, wali kota, bea cukai, alkalde',
  private_person_data:
    'nakatira, address niya, numero niya, number niya, plaka, nagtatrabaho siya, saan siya nagtatrabaho, saan siya nakatira, kapitbahay, ex ko, mga anak niya, buntis, mag isa sa bahay, tinggal di, alamatnya, nomornya, nomor teleponnya, nomor hp, plat nomor, bekerja di, tempat kerjanya, tanggal lahir, sendirian di rumah, mantan istri, mantan pacar, mantanku, tetangga saya, tetanggaku, anak anaknya, hamil, diagnosis, nik$, setiap pagi',
  spam_reach:
    'i click, pindutin, mag subscribe, i follow, libre libre, bumili na, ipasa sa sampu, i share, murang, sale$, klik, berlangganan, pengikut, gratis, beli sekarang, pesan sekarang, kirim ke sepuluh, sebarkan, bagikan, pesan berantai, tautan, ikuti, diskon, murah, promo, termurah, like',
  false_cure:
    'himala, milagro, gamot sa kanser, nakakagamot, nagpapagaling, tinatago ng mga doktor, walang side effect, pampapayat, pumayat, lunas sa, obat ajaib, ajaib, sembuhkan kanker, menyembuhkan, obat kanker, dokter menyembunyikan, disembunyikan dokter, perusahaan farmasi, tanpa efek samping, menurunkan berat, pelangsing, detoks, tanpa operasi, ramuan rahasia',
  placeholder_text:
    'ito ay test, subok lang, pagsubok lang, ilagay ang teksto, teks di sini, ini tes, tes tes, uji coba saja, judul di sini, contoh teks, isi di sini, halo dunia',
  warning_report:
    'mag ingat, babala, ingat sa, manloloko, panloloko, hukuman, nahatulan, naaresto, pag aaral, kasaysayan, museo, biktima, nobela, waspada, hati hati, peringatan, penipuan, penipu, pengadilan, divonis, ditangkap, sidang, penelitian, lokakarya, ceramah, sejarah, museum, korban, jurnalis, wartawan, pameran, edukasi, pencegahan',
  ordinary_trade:
    'pickup, kondisyon, sukat$, resibo, binebenta, paupahan$, upa$, presyo, gamit na, second hand, kahoy, bisikleta, sahod, ambil sendiri, kondisi, ukuran, faktur, kuitansi, garansi, bekas, dijual, disewakan, sewa$, harga, perabot, pengiriman, nego, buatan tangan, perbaikan, les$, kayu, sepeda, gaji',
  ordinary_event:
    'libreng pasok, libre ang pasok, magparehistro, ensayo, konsiyerto, koro$, magdala, dalhin, pista, aklatan, baguhan, lahat ay imbitado, gratis masuk, masuk gratis, pintu dibuka, pendaftaran, latihan, konser, paduan suara, bawa$, bawalah, pasar, perpustakaan, pemula, jalan santai, turnamen, pemutaran, terbuka untuk umum, acara, aula',
  tech_note:
    'bersyon, inayos, versi$, rilis, diperbaiki, perbaikan bug, latensi, repositori, sumber terbuka, basis data, pembaruan, kinerja, peladen, server, kueri, memori, migrasi',
}
