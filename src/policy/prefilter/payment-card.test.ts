import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Rule } from './rule.ts'
import { bankAccount } from './sensitive-data/bank-account.ts'
import { paymentCard } from './sensitive-data/payment-card.ts'

const ask = (rule: Rule, text: string) => rule.find([{ field: 'body', text }])

function holds(rule: Rule, refused: Record<string, string>, passes: Record<string, string>) {
  for (const [title, text] of Object.entries(refused)) {
    test(`${title}: rejected`, () => assert.match(ask(rule, text) ?? '', /^`body` contains /))
  }
  for (const [title, text] of Object.entries(passes)) {
    test(`${title}: passes`, () => assert.equal(ask(rule, text), null))
  }
}

/** Appends the check digit, so that no complete number appears in this file. */
function card(digits: string): string {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, index) => total + (index % 2 ? Number(digit) : [0, 2, 4, 6, 8, 1, 3, 5, 7, 9][+digit]!), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}
const grouped = (digits: string, separator: string) => digits.replaceAll(/(\d{4})(?=\d)/g, `$1${separator}`)
const visa = card('453957876362148')
const amex = card('37153867204915')

describe('payment card numbers', () => {
  holds(
    paymentCard,
    {
      Visa: visa,
      'Visa in groups': grouped(visa, ' '),
      'Visa with dashes': `Card: ${grouped(visa, '-')}, exp 12/27`,
      'Visa with narrow spaces': grouped(visa, '\u00A0'),
      'a card, its date and its code': `${grouped(visa, ' ')} 12/27 123`,
      'a row of a table': `Ann Lee,${visa},12/27`,
      Mastercard: card('548273910465271'),
      'the second range of Mastercard': card('248273910465271'),
      'American Express': amex,
      'American Express in groups': amex.replace(/(\d{4})(\d{6})(\d{5})/, '$1 $2 $3'),
      Discover: card('601148273910465'),
      JCB: card('354148273910465'),
      UnionPay: card('621748273910465'),
      'Diners Club, named': `My card is ${card('3614827391046')}`,
      'Visa of 13 digits, named': `credit card no. ${card('453957876362')}`,
      'Visa of 19 digits, named': `card number: ${card('453957876362148273')}`,
    },
    {
      'a wrong check digit': visa.replace(/\d$/, (last) => String((Number(last) + 1) % 10)),
      'no known issuer': card('953957876362148'),
      'a test number of Stripe': '4242 4242 4242 4242',
      'another test number': 'Use 4111-1111-1111-1111 in the sandbox.',
      'a test number with zeros': '4000056655665556',
      'a test number of American Express': '378282246310005',
      'a test number of Discover': '6011000990139424',
      'a counted number': card('401234567890123'),
      'a part of a longer number': `1${visa}`,
      'a part of a list of numbers': `7301 ${grouped(visa, ' ')} 9125`,
      'an order number': `Order no. ${visa}`,
      'a tracking code': `tracking number: ${visa}`,
      'the number of a parcel': `9400 1${visa}`,
      'a number in a link': `https://network.example/posts/${visa}?ref=${visa}`,
      'a number in a path': `/groups/${visa}/files`,
      'a fraction': `0.${visa}`,
      'an exponent': `${visa.charAt(0)}.${visa.slice(1)}e-05`,
      'an identifier': `sensor_${visa}`,
      'a UUID': `${visa.slice(0, 8)}-${visa.slice(8, 12)}-4${visa.slice(12, 15)}-8123-${visa.slice(0, 12)}`,
      'a phone number': '+45 3957 8763 6214',
      'phone numbers': '030 4539 5787, 0421 6362 1486',
      'an ISBN': 'ISBN 978-3-16-148410-0, or 9783161484100',
      'goods of 13 digits': `EAN ${card('453957876362')}`,
      'a number of 19 digits, not named': `The post ${card('453957876362148273')} is gone`,
      dates: '2026-11-15 2026-11-16 20261115123000',
      'a draw of numbers': '4 5 3 9 5 7 8 7 6 3 6 2 1 4 8 6 and 45 39 57 87 63 62 14 86',
      prices: '4539.57 8763.62 1486.00',
      coordinates: '45.39578763621486, -9.1390465271482',
      'a device': `IMEI ${card('35395787636214')}`,
    },
  )

  test('every real number is found in every grouping, and the reason does not repeat it', () => {
    const digits = fc.array(fc.nat({ max: 9 }), { minLength: 14, maxLength: 14 }).map((numbers) => numbers.join(''))
    const isPlain = (number: string) =>
      new Set(number).size < 5 || /(\d)\1{3}|012345|123456|234567|345678|456789/.test(number)
    fc.assert(
      fc.property(digits, fc.constantFrom('', ' ', '-'), (rest, separator) => {
        const number = card(`4${rest}`)
        fc.pre(!isPlain(number))
        const reason = ask(paymentCard, `Mine is ${grouped(number, separator)}!`)
        assert.ok(reason !== null)
        assert.doesNotMatch(reason, /\d/)
      }),
    )
  })
})

/** Adds the check digits. */
function iban(country: string, account: string): string {
  const numbers = Array.from(`${account}${country}00`, (character) => Number.parseInt(character, 36)).join('')
  return `${country}${String(98n - (BigInt(numbers) % 97n)).padStart(2, '0')}${account}`
}
const german = iban('DE', '500105175407924931')
const british = iban('GB', 'MIDL40051502847193')

describe('bank account numbers', () => {
  holds(
    bankAccount,
    {
      'a German number': german,
      'a German number in groups': `IBAN: ${grouped4(german)}`,
      'with dashes': grouped4(german, '-'),
      'with narrow spaces': grouped4(german, '\u00A0'),
      'before the code of a bank': `${grouped4(german)} BIC COBADEFF`,
      'at the end of a sentence': `Send it to ${german}.`,
      'a British number': british,
      'a French number': iban('FR', '3000204718293M028471930'),
      'a Dutch number': iban('NL', 'INGB0847193051'),
      'the shortest, of Norway': iban('NO', '84719305112'),
      'a long one, of Malta': iban('MT', 'VALL22013000000040019847193'),
      'before a group of capitals': `${grouped4(iban('AT', '1904300847193051'))} BANK`,
    },
    {
      'a wrong check digit': german.replace(/\d$/, (last) => String((Number(last) + 1) % 10)),
      'a wrong length': german.slice(0, -1),
      'one character more': `${german}7`,
      'a part of a longer word': `X${german}`,
      'no country of the registry': iban('US', '500105175407924931'),
      'the example of Germany': 'DE89 3704 0044 0532 0130 00',
      'the example of the encyclopedia': 'GB82 WEST 1234 5698 7654 32',
      'the example of France': 'FR14 2004 1010 0505 0001 3M02 606',
      'a hidden number': 'DE89 **** **** **** **** 00',
      'the shape in words': 'DEkk BBBB BBBB CCCC CCCC CC',
      'small letters': german.toLowerCase(),
      'the number of a product': 'AT61 gear box, BE68 belt, NO93 nozzle',
      'a tax number': 'VAT DE812345678, GB123456789',
      'the plate of a car and a room': 'DE12 3456, room GB22 0001',
    },
  )

  test('the reason repeats no part of the number', () => {
    for (const number of [german, british]) {
      const reason = ask(bankAccount, grouped4(number)) ?? ''
      const pieces = Array.from(number, (_, index) => number.slice(index, index + 5)).filter(
        ({ length }) => length === 5,
      )
      assert.ok(!pieces.some((piece) => reason.includes(piece)))
    }
  })
})

function grouped4(number: string, separator = ' '): string {
  return number.replaceAll(/(.{4})(?=.)/g, `$1${separator}`)
}
