/** Every way to break a line: a format may know two of them, and its readers all. */
export const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/
