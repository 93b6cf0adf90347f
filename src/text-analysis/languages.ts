import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { foldWord } from './fold.ts'

type Rules = {
  /** Removes the ending of a lower-case word with accents. */
  stem: (word: string) => string
  /** Matches words in this language's script. */
  letters: RegExp
  /** Function words: they identify the language, and a search does not require them. */
  functionWords: ReadonlySet<string>
}

const latin = /\p{Script=Latin}/u
const cyrillic = /\p{Script=Cyrillic}/u

const set = (words: string) => new Set(words.split(/\s+/).map(foldWord))

/**
 * The languages with known endings. Stored words contain these names, so a new language takes effect with the next
 * `reindex`.
 */
export const languages = {
  en: {
    stem: english,
    letters: latin,
    functionWords: set(
      `a about after again all also am an and any are as at be because been before being between both but by can could
       did do does doing down during each few for from further had has have having he her here hers him his how i if in
       into is it its just me more most my no nor not now of off on once only or other our out over own same she should
       so some such than that the their them then there these they this those through to too under until up very was we
       were what when where which while who whom why will with would you your`,
    ),
  },
  de: {
    stem: german,
    letters: latin,
    functionWords: set(
      `aber alle als also am an auch auf aus bei bin bis bist da damit dann das dass dein dem den der des dich die dies
       diese dieser dieses doch dort du durch ein eine einem einen einer eines er es euch für gegen habe haben hat hatte
       hier hin ich ihm ihn ihr ihre im in ins ist ja jede jeder jetzt kann kein keine man mehr mein mich mir mit muss
       nach nicht noch nun nur ob oder ohne schon sehr sein seine sich sie sind so über um und uns unser unter viel vom
       von vor war was weil wenn wer werden wie wieder wir wird wo wurde zu zum zur zwischen`,
    ),
  },
  fr: {
    // Snowball's rules do not handle the plurals of vélo and photo.
    stem: (word) => french(word.replace(/os$/, 'o')),
    letters: latin,
    functionWords: set(
      `à afin ainsi après au aucun aussi autre aux avant avec avoir c ce cela ces cet cette chaque chez comme d dans de
       depuis des donc dont du elle elles en encore entre est et était été être eux fait il ils j je jusqu l la le les
       leur leurs lors lui m ma mais me même mes moi mon n ne ni nos notre nous on ont ou où par pas pendant peu peut
       plus pour qu quand que quel quelle qui s sa sans se sera ses si son sont sous sur t ta te tes toi ton tous tout
       toute très trop tu un une vos votre vous y`,
    ),
  },
  es: {
    stem: spanish,
    letters: latin,
    functionWords: set(
      `a al algo algunos ante antes aquí así aún aunque cada como con contra cual cuando de del desde donde dos durante
       e el ella ellos en entre era es esa ese eso esta está están este esto estos fue ha hace hacia hasta hay la las le
       les lo los más me mi mientras muy nada ni no nos nosotros o otra otro para pero poco por porque puede que quien
       se sea según ser si sí sin sobre son su sus también tan te tiene todo todos tu un una uno unos y ya yo`,
    ),
  },
  pt: {
    // Snowball's rules treat aviões and avião as two words.
    stem: (word) => portuguese(word.replace(/(?:ões|ães|ãos)$/, 'ão').replace(/(?:oes|aes|aos)$/, 'ao')),
    letters: latin,
    functionWords: set(
      `a à ainda ao aos as às até cada com como da das de dela dele depois do dos e é ela ele eles em entre era essa
       esse esta está este eu foi for há isso isto já lá lhe mais mas me mesmo meu minha muito na não nas nem no nos
       nós nossa nosso num numa o onde os ou para pela pelas pelo pelos pode por porque quando que quem são se sem ser
       seu seus só sobre sua suas também te tem têm todos tudo um uma você vos`,
    ),
  },
  it: {
    stem: italian,
    letters: latin,
    functionWords: set(
      `a ad agli ai al alla alle anche ancora c che chi ci come con contro cosa cui d da dagli dai dal dalla dalle de
       degli dei del della delle di dopo dove e è ed era essere fra gli ha hanno ho i il in io l la le lei li lo loro
       ma me mi mia mio molto ne negli nei nel nella nelle noi non nostro o ogni per perché più po poi prima quale
       quando questa queste questi questo qui quindi se senza si sia sono sta su sua sugli sui sul sulla suo tra tutti
       tutto un una uno vi voi`,
    ),
  },
  nl: {
    stem: dutch,
    letters: latin,
    functionWords: set(
      `aan al alles als bij dan dat de der deze die dit doch door dus een eens en er ge geen haar had heb hebben heeft
       hem het hier hij hoe hun iets ik in is ja je kan kon maar me meer men met mij mijn moet na naar niet niets nog nu
       of om omdat onder ons onze ook op over reeds te tegen toch toen tot u uit uw van veel voor want waren was wat we
       wel werd wezen wie wij wil worden wordt zal ze zelf zich zij zijn zo zonder zou`,
    ),
  },
  sv: {
    stem: swedish,
    letters: latin,
    functionWords: set(
      `alla allt att av bara bli blev blir de dem den denna deras dess det detta dig din dina ditt du då efter ej eller
       en er ert ett från för ha hade han hans har hennes här hon honom hur i icke ingen inom inte jag ju kan kunde man
       med mellan men mig min mina mitt mot mycket ni nu när någon något några och om oss på sig sin sina sitt ska skulle
       som så till under upp ut utan vad var vara varför vem vi vid vilka vilken vilket är åt över`,
    ),
  },
  da: {
    stem: danish,
    letters: latin,
    functionWords: set(
      `ad af alle alt anden at blev blive bliver da de dem den denne der deres det dette dig din disse dog du efter
       eller en end er et for fra få ham han hans har havde have hende her hos hun hvad hver hvis hvor igen i ikke ind jeg jer jo
       kan kunne man mange med meget men mig min mine mod ned noget nogle nu når og også om op os over på se sig sin
       skal skulle som sådan thi til ud under var ved vi vil ville vor være været`,
    ),
  },
  no: {
    stem: norwegian,
    letters: latin,
    functionWords: set(
      `alle at av bare begge ble blei bli blir da de deg dei deim deira dem den denne der dere deres det dette di din
       disse du eg ein eit eller en enn er et ett etter for fordi fra før ha hadde han hans har hennes her hun hva hvem
       hver hvis hvor hvordan hvorfor i igjen ikke ikkje inn ingen jeg kan kom kun kunne man mange med meg mellom men mer min
       mot mye ned noe noen nå når og også om opp oss over på samme seg selv sin sitt skal skulle slik som så til ut uten
       var ved vi vil ville vår være vært`,
    ),
  },
  fi: {
    stem: finnish,
    letters: latin,
    functionWords: set(
      `ei eivät emme en entä ette että he hän ja jo jos jossa joka jotka kanssa keitä ketkä koska kuin kuka kun liian
       me meidän mikä mikäli minä mitä mukaan mutta myös ne niin nyt näin ole olemme olen oli olla olivat on ovat sekä
       sen se siis siitä sillä sinä sitten te tai tässä tämä tämän tätä vaan vain vielä voi vuonna yli`,
    ),
  },
  ru: {
    stem: russian,
    letters: cyrillic,
    functionWords: set(
      `а без более бы был была были было быть в вам вас весь во вот все всего всех вы где да даже для до его ее если
       есть еще же за здесь и из или им их к как ко когда кто ли либо мне может мы на над надо наш не него нее нет ни
       них но ну о об однако он она они оно от очень по под при с со так также такой там те тем то того тоже той только
       том ты у уже хотя чего чей чем что чтобы эта эти это этого этот я`,
    ),
  },
} as const satisfies Record<string, Rules>

export type Language = keyof typeof languages

export const languageNames = Object.keys(languages) as Language[]
