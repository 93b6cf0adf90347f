/** What becomes of a post, or what it is there to show. Each site has one of every role that its kind can have. */
export type Role = 'plain' | 'over' | 'written right to left' | 'hostile' | 'edited' | 'deleted' | 'removed'

export type Draft = { by: keyof typeof authors; body: object; role?: Role }

/** In the order of time. The present of the stage is in the last of them. */
export type Month = 'August' | 'October' | 'November'

export type Drafts = Record<Month, readonly Draft[]>

export const authors = {
  harbour: 'Harbour Notices',
  tides: 'Instituto das Marés, estação de Cascais',
  rightToLeft: 'دفتر الميناء القديم',
  hostile: '"><img src=x onerror=alert(1)> & Sons ]]>',
} as const

/**
 * Ends scripts, titles, items and events, fakes headings and headers: as much of it as intake lets through. Nobody may
 * say the same twice in a week, so each kind has it in another month.
 */
export const hostileTitle = 'Notice </title></script><script>alert("1")</script> ]]> & `ticked` {{7*7}} \'=1+1'
export const hostileText = [
  'The storehouse shows what it was sent tonight: </script><script>alert(1)</script>, then ]]> and <!-- and -->.',
  '# A heading that is none\n- a list that is none\n[click](javascript:alert(1)) ![x](https://pictures.example/y)',
  'END:VEVENT\nBEGIN:VEVENT\nSUMMARY:forged\\n \\, \\; "><svg onload=alert(1)> &lt;b&gt; &amp;amp; &unknown;',
].join('\n\n')
