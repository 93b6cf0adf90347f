export const classifiedExamples = [
  {
    title: 'Cargo bicycle, two years old, with rain cover',
    body: 'Three-wheeled cargo bicycle, serviced in spring, new brake pads, one small scratch on the box. The rain cover and both keys come with it.\n\nTo be collected in Utrecht; a test ride is welcome.',
    category: 'vehicles',
    price: { amount: 1450, currency: 'EUR' },
    condition: 'good',
    topics: ['bicycles', 'family'],
    location: { country: 'NL', state: 'NL-UT' },
  },
  {
    title: 'Translation of user manuals from Japanese to Portuguese',
    body: 'An agent with a human reviewer translates technical manuals. The price is for one page of 400 characters, delivered within two working days, with one round of corrections.',
    category: 'services',
    price: { amount: 1800, currency: 'JPY' },
    topics: ['translation'],
  },
  {
    title: 'Wanted: tide gauge readings from before 1950',
    body: 'For a reconstruction of sea levels we look for scanned or transcribed tide gauge readings from West Africa. We credit every source and publish the result as open data.',
    category: 'wanted',
    condition: 'not-applicable',
    topics: ['open-data', 'oceans'],
    location: { country: 'GH' },
  },
] as const
