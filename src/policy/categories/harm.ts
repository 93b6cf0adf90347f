import type { PolicyCategory } from '../category.ts'

export const violenceThreats: PolicyCategory = {
  id: 'violence_threats',
  title: 'Violence and threats',
  abusive: true,
  definition:
    'Covers threats against people, animals or places, calls to hurt someone, praise of attacks and of those who ' +
    'commit them, recruiting or raising money for violent groups, instructions for weapons or attacks, and cruelty ' +
    'described to please. ' +
    'Does not cover news, history, testimony and fiction in which violence is told and not urged; sport, hunting and ' +
    'self-defence within the law; warnings that keep people safe; or plain figures of speech. ' +
    'The line: would a reasonable reader take the post as a wish, a plan or an invitation to hurt? Then it is refused.',
  examples: {
    violating: [
      'Message: To the man who runs the Harrow Lane garage: I know when you lock up. On Friday you will not walk home.',
      'Event: Meet at the depot at nine and bring something heavy. The drivers who broke the strike will be taught a ' +
        'lesson.',
      'Message: Whoever set fire to the hostel is a hero. We need ten more like him before the winter.',
    ],
    non_violating: [
      'Story: The night the hostel burned. Two residents and a firefighter remember the hours before help came.',
      'Event: A self-defence course for beginners, six Tuesdays, with a trainer from the sports club. Loose clothes.',
      'Message: Police ask people to stay away from Harrow Lane after the stabbing this morning. The school is closed.',
      'Message: Our chess club was murdered nine to one on Saturday. Revenge is planned for the spring round.',
    ],
  },
}

export const selfHarm: PolicyCategory = {
  id: 'self_harm',
  title: 'Encouraging self-harm',
  abusive: true,
  definition:
    'Covers only encouragement and instruction: urging someone to hurt or starve themselves or to end their life, ' +
    'praising it, explaining methods, setting dares, or offering means. ' +
    'Does not cover support, prevention, memories of the dead, recovery, or research. Nor does it cover a person in ' +
    'distress: a post that speaks of the author’s own pain or wish to die breaks no rule here. It goes to a person, ' +
    'who decides with care; it is never charged ten-fold and never adds a strike. ' +
    'The line: a post that pushes someone towards harm is abuse; a post that asks for help, or gives it, is not.',
  examples: {
    violating: [
      'Message: To everyone who feels like a burden: you are right, and the world will be glad. Stop waiting and do ' +
        'it.',
      'Event: A thirty-day fast for girls who want to vanish. Those who eat are put out of the group in front of all.',
      'Classified ad: For those who have decided: I send the means in a plain parcel, and a guide comes with it.',
    ],
    non_violating: [
      'Message: I have not slept for weeks and do not know how to go on. Has anyone found a doctor who listens?',
      'Event: A circle for people who have lost someone to suicide. Two trained hosts, tea, and no need to speak.',
      'Story: Four years after the worst night of my life: what my sister said on the phone, and what helped after it.',
      'Message: If you think of ending your life, call 555-0117 at any hour. A volunteer answers within a minute.',
    ],
  },
}

export const illegalGoods: PolicyCategory = {
  id: 'illegal_goods',
  title: 'Illegal goods and services',
  abusive: true,
  definition:
    'Covers offering, seeking or arranging what the law forbids to trade: drugs, prescription medicine without a ' +
    'prescription, weapons outside the licensed trade, stolen or counterfeit goods, forged papers, protected animals ' +
    'and plants, people and their organs, break-ins to order, and stolen accounts or data. ' +
    'Does not cover lawful trade, licensed sellers where the law lets them advertise, discussion of laws, news, ' +
    'health advice, harm reduction, or lost and found. The law of the place that the post names decides; without a ' +
    'place, what is forbidden nearly everywhere. ' +
    'The line: a post that helps a forbidden trade to happen is refused; a post about such a trade is not.',
  examples: {
    violating: [
      'Classified ad: Strong painkillers, no prescription needed, sent in plain envelopes. Ten for 40, fifty for 150.',
      'Classified ad: Driving licences and diplomas made to order, any name, they pass every check. Two weeks.',
      'Classified ad: Nine new phones still locked to their owners, cheap, cash only. Do not ask where they are from.',
      'Classified ad: Two hand-raised eagle chicks from a protected nest. Pickup by night, no papers.',
    ],
    non_violating: [
      'Event: Take-back day for old medicine at the Mill Street pharmacy. Bring what you no longer need; it is ' +
        'destroyed.',
      'Story: How the harbour police found forty forged passports in a shipment of lamps, as the court heard it.',
      'Classified ad: Set of kitchen knives, forged steel, five pieces with a block. Buyer must be of age.',
      'Message: The free drug-checking tent is by the north gate until midnight. Nobody is asked for a name.',
    ],
  },
}
