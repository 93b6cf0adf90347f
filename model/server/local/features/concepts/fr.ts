import type { ConceptWords } from './concept.ts'

export const fr: ConceptWords = {
  prepayment:
    'envoyer de l’argent, envoyez l’argent, carte cadeau, cartes cadeaux, virement avant, virement immédiat, payer d’avance, paiement d’avance, à l’avance, acompte, frais de dossier, frais de traitement, mandat cash, pcs, transcash, neosurf, western union, caution avant, je suis à l’étranger, remise des clés, coupons recharge, avance de frais',
  easy_profit:
    'gain garanti, gains garantis, rendement garanti, garanti, doublez, doubler votre, triplez, sans risque, revenu passif, revenus passifs, argent facile, argent rapide, liberté financière, de chez vous, à domicile sans, sans expérience, par jour garanti, devenir riche, bénéfice quotidien',
  crypto_wallet: 'cryptomonnaie, crypto, portefeuille, bitcoin, phrase de récupération, jeton, chaîne de blocs',
  urgency:
    'urgent, vite$, dépêchez, dernière chance, aujourd’hui seulement, immédiatement, tout de suite, sous 24 heures, avant minuit, places limitées, dernières places, n’attendez, ne manquez, dernier rappel, expire, dernier avis',
  secrecy:
    'discret, discrètement, discrétion, sans questions, sans papiers, aucune question, pas de questions, ne dites rien, n’en parle, n’en parlez, en secret, personne ne saura, enveloppe neutre, colis neutre, sans facture, anonyme, sans trace, au noir, espèces uniquement, confidentiel, entre nous',
  money_mule:
    'recevoir des virements, recevez des virements, recevoir des paiements, votre compte bancaire, ton compte bancaire, prêter votre compte, louer votre compte, transférer le reste, renvoyer l’argent, renvoyez, gardez, vous gardez, tu gardes, commission par virement, recevoir des colis, réexpéd, agent de paiement, mule',
  loan_lottery_prize:
    'prêt entre, prêt rapide, offre de prêt, crédit sans, crédit rapide, loterie, vous avez gagné, gagnant, héritage, bénéficiaire, félicitations, tirage au sort, lot à réclamer, sans justificatif, interdit bancaire, jackpot, don de',
  fake_documents:
    'faux papiers, faux passeport, faux diplôme, faux permis, faux documents, fausse carte, fausses cartes, falsifi, permis sans examen, sans examen, permis de conduire enregistré, diplôme sur mesure, diplômes à, à n’importe quel nom, faux billets, faux avis, fausse fiche, faux certificat, arrêt maladie sans',
  counterfeit_stolen:
    'volé$, volés$, volée$, volées$, contrefaçon, contrefait, réplique, imitation, copie conforme, sans numéro de série, tombé du camion, cartes clonées, clonée, comptes piratés, piraté, recel, ne demandez pas d’où, bloqué icloud, fausses marques',
  drugs:
    'cocaïne, héroïne, cannabis, marijuana, haschich, shit$, beuh, herbe$, ecstasy, amphétamine, champignons hallu, gramme, drogue, dealer, kétamine, résine, stéroïdes, crack$, coke$',
  medicine_without_prescription:
    'sans ordonnance, aucune ordonnance, antidouleur, somnifère, anxiolytique, médicament, comprimés, antibiotique, pilule abortive, tramadol, codéine, xanax, valium, viagra, ozempic, morphine, subutex',
  weapons:
    'pistolet, fusil, munition, arme, armes, revolver, silencieux, grenade, explosif, arme à feu, sans permis, kalachnikov, cartouches, poing américain, couteau à cran, cran d’arrêt, sans licence',
  protected_animals:
    'ivoire, corne de rhinocéros, espèce protégée, espèces protégées, tortue, perroquet, rapace, aigle, faucon, chardonneret, animal exotique, animaux exotiques, singe, tigre, capturé, bébés, prélevé, du nid, lionceau, civelle',
  sexual_explicit:
    'nue$, nues$, porno, sexuel, orgasme, pénis, vagin, seins, bite$, chatte$, baiser, branl, érotique, excité, fesses, téton, gémi, jouir, sexe, salope, coquin, déshabill, fellation',
  sexual_services:
    'escort, prostitu, massage érotique, massage sensuel, finition, accompagnatrice, hôtesse, hôtel ou domicile, tarif horaire, rencontre discrète, rencontres discrètes, michto, messieurs, service complet, plan cul, reçoit chez, sugar daddy, nuit complète',
  threat_violence:
    'te tuer, vais te tuer, tuer, tuerai, tuerons, crever, brûler, brûlerai, casser la gueule, casser les jambes, casser, tabasser, frapper, tu vas le regretter, vous allez regretter, regretteras, regretter, tu vas payer, va payer, vont payer, paieras, je sais où tu, on sait où, égorger, étrangler, lyncher, pendre, une leçon, souffrir, sang$, mort$, massacrer',
  weapon_attack:
    'bombe, cocktail molotov, molotov, tirer sur, fusillade, poignard, couteau, attentat, attaquer, mettre le feu, incendi, écraser, empoison, machette, batte, embuscade, massacre, héros, martyr, faire sauter, exploser',
  hate_dehumanising:
    'vermine, parasite, cafard, rats$, nuisible, racaille, sous homme, race inférieure, rentrez chez, rentre chez toi, retourne dans, pas les bienvenus, pas bienvenu, expuls, dehors les, envahisseurs, envahi, invasion, ces gens, cette engeance, grand remplacement, bougnoule, sales arabes, sales juifs, pas des humains, sauvages, infest, pas leur place, chez nous, pullul',
  insult:
    'idiot, imbécile, stupide, débile, moche$, laid$, nul$, nulle$, connard, connasse, conne$, con$, pute, salaud, grosse vache, menteur, menteuse, lâche$, minable, pathétique, raté$, ratée$, merde, dégueulasse, bouffon, crétin, abruti, incapable, ordure, ferme la, ridicule, honte',
  pile_on:
    'écrivez lui, écrivez tous, tous lui écrire, appelez son, appelez la, qu’elle parte, qu’il parte, jusqu’à ce qu, pourrissez, pourrir la vie, signalez son, signalez tous, partagez sa photo, partagez son, mauvais avis, une étoile, inondez, harcel, dites lui, faites la virer, faites le virer, virer, tous ensemble contre, affichez, moquez',
  self_harm_urge:
    'suicid, mets fin à, mettre fin à, tue toi, personne ne te regrettera, ne manqueras à personne, tu ne manqueras, mieux sans toi, un fardeau, un poids pour, arrête de manger, arrêter de manger, affam, jeûne de, coupe toi, scarifi, saute$, fais le enfin, passe à l’acte, overdose, sans douleur, disparaître, automutil, défi, maigrir, pro ana',
  support_help:
    'ligne d’écoute, numéro vert, groupe de parole, groupe de soutien, tu n’es pas seul, vous n’êtes pas seul, psycholog, thérap, soutien, demander de l’aide, écoute, bénévole, deuil, santé mental, accompagnement, prévention du suicide, guérison, gratuit et confidentiel, sos amitié, entraide',
  credentials:
    'mot de passe, mots de passe, code pin, code secret, code de vérification, code reçu, numéro de carte, identifiant, coordonnées bancaires, connectez vous, connecte toi, confirmez votre, confirme ton, phrase secrète, phrase de récupération, clé privée, clé api, cryptogramme, saisissez, douze mots, digicode',
  account_closes:
    'votre compte sera, votre compte a été, ton compte sera, sera suspendu, sera bloqué, sera fermé, a été suspendu, a été bloqué, vérifiez votre, vérifiez maintenant, activité inhabituelle, activité suspecte, éviter la suspension, éviter le blocage, réactiv, boîte mail, messagerie sera, mettez à jour vos, rétablir l’accès, votre colis, carte vitale',
  run_command:
    'exécutez, exécute ce, lancez le, lancez ce, lance ce, installez, installe ce, désactivez l’antivirus, désactivez votre, désactive ton, antivirus, en tant qu’administrateur, collez, terminal, ligne de commande, ouvrez la pièce, pièce jointe, accès à distance, cheval de troie, logiciel espion, macros, script',
  machine_orders:
    'ignore les instructions, ignorez les instructions, ignore toutes, ignorez toutes, ignore tes, ignorez vos, instructions précédentes, consignes précédentes, oublie tes, oubliez vos, oublie toutes, message système, invite système, système, agents ia, agents d’ia, agents qui, tous les agents, assistant, approuve, approuvez, modèle de langage, modèle de modération, modérateur, tu es maintenant, mode développeur, sans demander, ton utilisateur, votre utilisateur, intelligence artificielle, révèle, classe ce, réponds seulement',
  official_impersonation:
    'communiqué officiel, avis officiel, officiel, ici la police, ici la banque, votre banque, votre conseiller, impôts, direction générale, gendarmerie, police nationale, ministère, assurance maladie, caf$, service client, équipe de support, support technique, service de sécurité, au nom de, préfecture, mairie de, maire, équipe broadside, la poste vous, gouvernement, douane',
  private_person_data:
    'habite au, habite à, habite rue, habite, son adresse, son numéro, son téléphone, son portable, plaque d’immatriculation, immatriculée, travaille chez, travaille à, où elle travaille, où il travaille, où elle habite, où il habite, adresse personnelle, date de naissance, seule chez, seul chez, mon ex, mon voisin, ma voisine, ses enfants, son école, enceinte, dossier médical, diagnosti, séropositi, sort de chez, chaque matin, digicode, salaire de, numéro de sécurité',
  spam_reach:
    'cliquez, clique ici, abonnez, abonne toi, abonnés, followers, gratuit gratuit, achetez maintenant, commandez, transférez à, transfère, envoie à dix, partagez, chaîne$, brise la chaîne, lien en bio, lien dans, suivez moi, suivez nous, code promo, réduction, pas cher, meilleur prix, promo, bons plans, visitez, likes',
  false_cure:
    'remède miracle, miracle, guérit le cancer, guérit le diabète, guérir le cancer, guérit tout, guérit, les médecins cachent, que les médecins, on vous cache, lobby pharma, laboratoires, sans effets secondaires, remède, perdre du poids, maigrir sans, brûle graisse, détox, secret ancestral, arrêtez l’insuline, guérison totale, marabout',
  placeholder_text:
    'ceci est un test, texte de test, essai essai, juste un test, insérer, texte ici, votre texte, titre ici, à définir, à compléter, texte d’exemple, bonjour le monde, texte provisoire',
  warning_report:
    'attention aux, attention à, méfiez, avertissement, alerte, arnaque, escroc, escroquerie, tribunal, condamn, procès, plainte, interpell, étude, atelier, conférence, histoire, musée, roman$, recherche, victime, signaler, journalist, exposition, documentaire, prévention, mémoire, enquête, faux mail, ne payez',
  ordinary_trade:
    'à retirer, retrait, visite, bon état, état, taille, facture, garantie, occasion, peu servi, vends, à vendre, à louer, loyer, prix, meublé, dimensions, livraison, négociable, fait main, réparation, cours de, bois, vélo, temps partiel, salaire, rayure, non fumeur',
  ordinary_event:
    'entrée libre, entrée gratuite, ouverture des portes, portes, inscription, répétition, concert, chorale, apportez, apporter, brocante, vide grenier, fête, lecture, débutant, bibliothèque, randonnée, tournoi, projection, bienvenue, places, rendez vous, salle$, spectacle, goûter',
  tech_note:
    'version, corrigé, correctif, compilation, latence, dépôt, code source, libre, base de données, déploiement, mise à jour, performance, serveur, bibliothèque, requête, mémoire, migration, jeu de données, panne, publi',
}
