import { inEachPart, type Rule } from '../rule.ts'
import { withoutLinks } from '../words.ts'
import { countsUp } from './placeholder.ts'

export const paymentCard: Rule = {
  id: 'payment_card',
  category: 'personal_data',
  summary:
    'A payment card number: an issuer’s prefix and length, grouped as on a card or not at all, and a valid check ' +
    'digit. Payment providers’ test numbers are allowed, because they belong to no account.',
  find: inEachPart(({ field, text }) => {
    // Shops and networks use long numbers in their URLs.
    if (!withoutLinks(text).matchAll(candidate).some(isCardNumber)) return null
    return `\`${field}\` contains what looks like a payment card number. Remove it and submit the post again.`
  }),
}

const space = '[ \\u00A0\\u202F]'
const grouped = [
  `\\d{4}(?<first>${space}|-)\\d{4}\\k<first>\\d{4}\\k<first>\\d{4}(?:\\k<first>\\d{3})?`,
  `\\d{4}(?<second>${space}|-)\\d{6}\\k<second>\\d{4,5}`,
]
// Excludes parts of longer numbers, fractions, number lists, identifiers, paths and phone numbers.
const before = `(?<![\\p{L}\\p{N}_/+-]|\\d[.,]|\\d${space})`
const after = `(?![\\p{L}\\p{N}_-]|\\.\\d|${space}\\d{4})`
const candidate = new RegExp(`${before}(?:${grouped.join('|')}|(?<ungrouped>\\d{13,19}))${after}`, 'gu')

function isCardNumber({ 0: match, index, groups, input }: RegExpExecArray): boolean {
  const digits = match.replaceAll(/\D/g, '')
  // Checked first, because it excludes nine out of ten numbers without reading the text before them.
  if (!hasCheckDigit(digits)) return false
  const introduction = input.slice(Math.max(0, index - 40), index)
  if (groups?.['ungrouped'] && otherLabel.test(introduction)) return false
  const isNamed = groups?.['ungrouped'] === undefined || cardWord.test(introduction)
  const isIssued = issuers.some(
    ({ prefix, lengths, lengthsWhenNamed }) =>
      prefix.test(digits) && (lengths.includes(digits.length) || (isNamed && lengthsWhenNamed.includes(digits.length))),
  )
  return isIssued && !isTestNumber(digits)
}

type Issuer = {
  name: string
  prefix: RegExp
  lengths: readonly number[]
  /** Whether the grouping or a word before the number indicates a card. */
  lengthsWhenNamed: readonly number[]
}

/**
 * One number in ten has a valid check digit by chance. So lengths that other numbers share (13: product codes, 17 to
 * 19: post ids) count only with another indication of a card.
 */
const issuers: readonly Issuer[] = [
  { name: 'Visa', prefix: /^4/, lengths: [16], lengthsWhenNamed: [13, 19] },
  {
    name: 'Mastercard',
    prefix: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    lengths: [16],
    lengthsWhenNamed: [],
  },
  { name: 'American Express', prefix: /^3[47]/, lengths: [15], lengthsWhenNamed: [] },
  { name: 'Discover', prefix: /^6(?:011|4[4-9]|5)/, lengths: [16], lengthsWhenNamed: [19] },
  { name: 'Diners Club', prefix: /^3(?:0[0-5]|[689])/, lengths: [], lengthsWhenNamed: [14, 16, 19] },
  { name: 'JCB', prefix: /^35(?:2[89]|[3-8])/, lengths: [16], lengthsWhenNamed: [19] },
  { name: 'UnionPay', prefix: /^62/, lengths: [16], lengthsWhenNamed: [17, 18, 19] },
  {
    name: 'Maestro',
    prefix: /^(?:5018|5020|5038|5893|6304|6759|676[1-3])/,
    lengths: [16],
    lengthsWhenNamed: [13, 14, 15, 17, 18, 19],
  },
]

const cardWord = /\b(?:cards?|cc|visa|mastercard|amex|maestro|credit|debit|karte|carte|carta|tarjeta|cart[aã]o)\b/iu

/** A word directly before a bare number that says it is something else. */
const otherLabel = new RegExp(
  '\\b(?:order|invoice|tracking|parcel|shipment|ticket|booking|reference|ref|imei|serial|case|id|ean|upc|sku|item|' +
    'part|auction|listing|article|sensor|device|meter|build)s?\\b[^\\p{L}\\p{N}]{0,4}' +
    '(?:(?:id|code|no|nr|number|is|was)\\b[^\\p{L}\\p{N}]{0,4}){0,2}$',
  'iu',
)

/** Luhn: every second digit from the end is doubled, and the sum ends in 0. */
function hasCheckDigit(digits: string): boolean {
  let sum = 0
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits.at(-1 - place))
    const value = place % 2 === 1 ? digit * 2 : digit
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

/** Test numbers repeat a few digits or one digit in a row; about one real number in seventy does. */
function isTestNumber(digits: string): boolean {
  return new Set(digits).size < 5 || /(\d)\1{3}/.test(digits) || countsUp(digits) || documentedTestNumbers.has(digits)
}

/** Test numbers from providers' manuals that do not repeat digits. */
const documentedTestNumbers: ReadonlySet<string> = new Set([
  '30569309025904',
  '3566002020360505',
  '36227206271667',
  '371449635398431',
  '378282246310005',
  '378734493671000',
  '5200828282828210',
  '6011000990139424',
])
