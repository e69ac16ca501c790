// The phone's own form of a language: days and times are written as its owner's country writes them.

/** The first of the phone's languages that is a form of `language`, such as en-GB of en; `language` itself if none is.
 * @param {string} language */
export const localeFor = (language) => navigator.languages.find((each) => each.split("-")[0] === language) ?? language;
