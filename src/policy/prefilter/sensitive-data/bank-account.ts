import { inEachPart, type Rule } from '../rule.ts'
import { countsUp } from './placeholder.ts'

export const bankAccount: Rule = {
  id: 'bank_account',
  category: 'personal_data',
  summary:
    'An international bank account number (IBAN) with the right length for its country and valid check digits. Example ' +
    'numbers from manuals pass.',
  find: inEachPart(({ field, text }) => {
    if (!text.matchAll(beginning).some(({ index }) => beginsAccountNumber(text, index))) return null
    return `\`${field}\` contains a bank account number (IBAN). Remove it, and share it privately with people who need to pay.`
  }),
}

const beginning = /(?<![0-9A-Za-z])[A-Z]{2}\d{2}(?=[ \u00A0-]?[0-9A-Z]{4})/g

/** Reads only as many characters as numbers of that country have, because capitals may follow after a space. */
function beginsAccountNumber(text: string, index: number): boolean {
  const length = lengths.get(text.slice(index, index + 2))
  if (length === undefined) return false
  const spaces = Math.floor((length - 1) / 4)
  return [length, length + spaces].some((size) => {
    if (/[0-9A-Za-z]/.test(text.charAt(index + size))) return false
    const account = text.slice(index, index + size).replaceAll(/[ \u00A0-]/g, '')
    const isShaped = account.length === length && /^[0-9A-Z]+$/.test(account)
    return isShaped && remainderBy97(account) === 1 && !countsUp(account) && !publishedExamples.has(account)
  })
}

/** ISO 13616: the first four characters move to the end, and letters count from 10. */
function remainderBy97(account: string): number {
  let remainder = 0
  for (let place = 0; place < account.length; place++) {
    const code = account.charCodeAt((place + 4) % account.length)
    remainder = (code < codeOfA ? remainder * 10 + code - codeOf0 : remainder * 100 + code - codeOfA + 10) % 97
  }
  return remainder
}

const codeOf0 = 48
const codeOfA = 65

/** The ISO 13616 registry. */
const lengths: ReadonlyMap<string, number> = new Map(
  Object.entries({
    15: 'NO',
    16: 'BE',
    18: 'DK FI FK FO GL NL SD',
    19: 'MK SI',
    20: 'AT BA EE KZ LT LU MN XK',
    21: 'CH HR LI LV',
    22: 'BG BH CR DE GB GE IE ME RS VA',
    23: 'AE GI IL IQ OM SO TL',
    24: 'AD CZ ES MD PK RO SA SE SK TN VG',
    25: 'LY PT ST',
    26: 'IS TR',
    27: 'BI DJ FR GR IT MC MR SM',
    28: 'AL AZ BY CY DO GT HN HU LB NI PL SV',
    29: 'BR EG PS QA UA',
    30: 'JO KW MU YE',
    31: 'MT SC',
    32: 'LC',
    33: 'RU',
  }).flatMap(([length, countries]) => countries.split(' ').map((country) => [country, Number(length)] as const)),
)

/** From the registry and the manuals of payment providers. Numbers with 123456 in them need no entry. */
const publishedExamples: ReadonlySet<string> = new Set([
  'AT611904300234573201',
  'BE68539007547034',
  'BR1800360305000010009795493C1',
  'CH9300762011623852957',
  'CZ6508000000192000145399',
  'DE89370400440532013000',
  'DK5000400440116243',
  'EE382200221020145685',
  'ES9121000418450200051332',
  'FR1420041010050500013M02606',
  'GB29NWBK60161331926819',
  'GB33BUKB20201555555555',
  'GR1601101250000000012300695',
  'HR1210010051863000160',
  'HU42117730161111101800000000',
  'IL620108000000099999999',
  'LT121000011101001000',
  'LU280019400644750000',
  'LV80BANK0000435195001',
  'NL91ABNA0417164300',
  'NO9386011117947',
  'PL61109010140000071219812874',
  'RO49AAAA1B31007593840000',
  'SA0380000000608010167519',
  'SE4550000000058398257466',
  'SI56263300012039086',
  'SK3112000000198742637541',
  'TR330006100519786457841326',
])
