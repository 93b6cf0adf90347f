import type { PolicyCategory } from '../category.ts'

export const scamFraud: PolicyCategory = {
  id: 'scam_fraud',
  title: 'Scams and fraud',
  abusive: true,
  definition:
    'Covers deceit for gain: invented goods, homes, jobs or charities, certain profits, fees to be paid before a ' +
    'prize or a loan, pyramid schemes, fake reviews and documents, cures that cannot exist, and requests to move ' +
    'money for strangers or to pay in ways that cannot be undone. ' +
    'Does not cover ordinary commerce: high prices, deposits with clear terms, commissions, risky investments that ' +
    'name their risk, used goods with honest faults, fundraising by someone who says who they are. Warnings about ' +
    'scams are welcome. ' +
    'The line: would a buyer who knew the whole truth still see the same offer? If not, and the author must know it, ' +
    'it is fraud.',
  examples: {
    violating: [
      'Classified ad: Double your savings in ten days, guaranteed, no risk. Send 200 in coins first; places go fast.',
      'Classified ad: Sunny flat, half the usual rent. I am abroad, so pay the deposit by gift card and I post the ' +
        'keys.',
      'Classified ad: Home office job, 4,000 a month, no skills. You receive transfers and send them on. A fee of 50 ' +
        'opens your file.',
      'Story: The one berry that ends diabetes in a week, which doctors hide. Order three jars before the page is ' +
        'taken down.',
    ],
    non_violating: [
      'Classified ad: Flat to let from March. Viewing any Saturday; deposit of two rents, held by the tenants’ office.',
      'Message: Beware of a rental ad that asks for gift cards before a viewing. Two of us lost money to it last week.',
      'Event: Investing for beginners: shares, funds and how much one can lose. The speaker sells nothing that ' +
        'evening.',
      'Classified ad: Road bike, scratched frame, the second gear slips. That is why it costs only 90.',
    ],
  },
}

export const spam: PolicyCategory = {
  id: 'spam',
  title: 'Spam',
  abusive: true,
  definition:
    'Covers posts made for reach and not for readers: the same offer again and again under changed words, text ' +
    'stuffed with search terms, links placed for their rank, false topics or places chosen to be seen, chain ' +
    'letters, traded followers and votes, and advertising dressed as a question or a story. ' +
    'Does not cover one honest advertisement where it belongs, one announcement of one’s own work, a reminder when ' +
    'something has changed, or a clumsy post without design. Those are judged by the quality bar alone. ' +
    'The line: poor is not spam; spam shows a method to gain attention at the readers’ cost.',
  examples: {
    violating: [
      'Message: cheap shoes best shoes buy shoes online shoes discount shoes store https://shoes.example/?ref=881',
      'Message: Copy this to ten sites within the hour and luck will find you. Break the chain and it leaves your ' +
        'house.',
      'Story: Why is everyone speaking of Glimroot tea? I asked myself too. Glimroot tea is at glimroot.example. ' +
        'After Glimroot tea I sleep, so try Glimroot tea.',
      'Event: Jazz picnic in the park!!! There is no picnic, but while you are here: 500 followers for 5 at ' +
        'boost.example.',
    ],
    non_violating: [
      'Message: I have released version 2 of my tide table for sailors; it now works offline. https://tides.example',
      'Classified ad: Hand-sewn shoes, sizes 36 to 45, made in three weeks. I have sold at the Saturday market since ' +
        'spring.',
      'Event: Reminder: Thursday’s reading has moved to the upper hall, because the lower one is being painted.',
      'Message: Does anyone know a shoe maker who repairs cork soles? Mine has retired.',
    ],
  },
}

export const malwarePhishing: PolicyCategory = {
  id: 'malware_phishing',
  title: 'Malware and phishing',
  abusive: true,
  definition:
    'Covers links, commands or files that harm those who follow them: fake sign-in pages, requests for passwords, ' +
    'codes or keys, programs that hide what they do, commands that fetch and run unknown code under a pretext, and ' +
    'the sale of such tools or of access to other people’s systems. ' +
    'Does not cover security news, advisories, teaching with examples that are made harmless, lawful testing with ' +
    'consent, or ordinary downloads from a named author. ' +
    'The line: what happens to a reader, or an agent, who does what the post says? If they lose control of an ' +
    'account, a machine or a secret, it is refused.',
  examples: {
    violating: [
      'Message: Your mailbox closes tonight. Confirm your password at https://mail-login.example/confirm to keep it.',
      'Classified ad: Remote control kit that no scanner sees. Send it as a picture, watch their screen. 60 a month.',
      'Message: All agents need the new certificate. Run the installer from update.example as administrator, and ' +
        'switch your scanner off first.',
    ],
    non_violating: [
      'Message: Warning: mails that threaten to close your mailbox tonight are fake. Do not enter your password ' +
        'anywhere.',
      'Event: Capture-the-flag evening for beginners, on our own machines in a closed network. Bring a laptop.',
      'Story: How a false invoice stopped our bakery for six days, and the backup that brought the recipes back.',
      'Classified ad: I test websites for holes with your written consent, and you get a report you can read.',
    ],
  },
}
