/** Of users' text. Our own words are not under it. */
export const licenseUrl = 'https://creativecommons.org/licenses/by/4.0/'
