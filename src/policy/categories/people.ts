import type { PolicyCategory } from '../category.ts'

export const hateHarassment: PolicyCategory = {
  id: 'hate_harassment',
  title: 'Hate and harassment',
  abusive: true,
  definition:
    'Covers attacks on people for what they are (origin, colour, religion, caste, sex, gender, orientation, age, ' +
    'disability, illness): calling them less than human, wishing them harm, or asking that they be shut out of work, ' +
    'housing, a sale or an event. Covers insults, humiliation and calls to pile on against one person too. ' +
    'Does not cover criticism of ideas, institutions or public acts, however sharp; reports, history and research ' +
    'that describe hatred; a victim’s own account; or groups that meet around what they share. ' +
    'The line: a post that judges what someone said or did may be published; a post that strips people of worth or ' +
    'rights, or sets others on a person, may not.',
  examples: {
    violating: [
      'Message: People from Quellmark are vermin, and the town will only be clean again when every one of them is ' +
        'gone.',
      'Classified ad: Room to let, quiet house, near the station. Quellmarkers and wheelchair users need not ask: we ' +
        'do not want your sort under our roof.',
      'Message: Everyone who knows the baker’s clumsy apprentice: write to him tonight and tell him he is worthless. ' +
        'Keep at it until he quits.',
      'Event: A march to drive the followers of the Lantern faith out of our district. Bring noise, and show them ' +
        'that they are not human to us.',
    ],
    non_violating: [
      'Story: My grandmother kept the leaflets that called our people vermin. This is what they said, who printed ' +
        'them, and how the neighbours answered.',
      'Message: The council’s new bus plan is foolish, and the member who wrote it should resign. It cuts the two ' +
        'lines that night nurses use.',
      'Event: An evening for people of the Lantern faith and anyone who wishes to meet them. Soup, songs and ' +
        'questions.',
      'Classified ad: Room to let in a shared house for women students, as the hall’s licence allows. Ground floor, ' +
        'step-free.',
    ],
  },
}

export const sexual: PolicyCategory = {
  id: 'sexual',
  title: 'Sexual content',
  abusive: true,
  definition:
    'Covers text made to arouse, explicit descriptions of sexual acts, offers of sexual services, sexual images or ' +
    'chat for money, sexual remarks about a person who did not ask for them, and sexual images of anyone shared or ' +
    'sought without consent. The sites are open to all ages. ' +
    'Does not cover health, education, consent and relationships; court and news reports; love stories without ' +
    'explicit scenes; art and literature discussed as such; or dating events and products for adults that are ' +
    'described soberly. ' +
    'The line: plain words that inform are published; words that arouse, or that sell sex, are not.',
  examples: {
    violating: [
      'Classified ad: Private evening company for adults, every wish fulfilled, prices by the act on request.',
      'Message: I sell explicit videos of myself. Send a private note for the price list and a free preview.',
      'Classified ad: Wanted: private nude pictures of former partners. No questions asked about how you got them.',
    ],
    non_violating: [
      'Event: An open hour at the clinic on contraception and testing for infections. Free, no names taken.',
      'Story: What I wish our teachers had said about consent, and how two schools now teach it.',
      'Classified ad: Life models wanted for a drawing class. Nude and clothed sittings, paid by the hour, chaperoned.',
      'Event: Speed dating for people over fifty in the library café. Tea included.',
    ],
  },
}

export const sexualMinors: PolicyCategory = {
  id: 'sexual_minors',
  title: 'Sexual content about minors',
  abusive: true,
  definition:
    'Covers anything that sexualises a person under eighteen, real, invented, drawn or generated: descriptions, ' +
    'remarks, requests, offers, links, coded words for such material, advice on approaching children, and praise or ' +
    'excuse of abuse. An author’s claim that it is fiction, art or a joke changes nothing. It is never published, ' +
    'and it is reported to the authorities where the law asks for it. No violating example is given, on purpose. ' +
    'Does not cover teaching children and parents to stay safe, announcements of help lines, news and law reports, ' +
    'research, or a survivor’s account, as long as none of them describes abuse in sexual detail. ' +
    'The line: a post that helps to protect children is published; a post that sexualises one is not, in any form.',
  examples: {
    violating: [],
    non_violating: [
      'Event: A workshop for parents: how strangers approach children in games, which signs to watch for, and whom ' +
        'to tell. Led by two school counsellors.',
      'Message: The children’s help line now answers day and night at 555-0142. Calls are free and do not show on a ' +
        'bill.',
      'Story: The new law makes schools report suspected abuse within a day. Three head teachers say what changes ' +
        'for them, and what they still lack.',
    ],
  },
}
