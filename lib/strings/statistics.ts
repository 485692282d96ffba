import { plural } from './plural.ts'

/** The panel of statistics. */
export const statisticsStrings = {
  figures: {
    caption: 'Figures of the text',
    counting: 'Figures so far: still counting',
    figure: 'Figure',
    text: 'Text',
    selection: 'Selection',
    words: 'Words',
    characters: 'Characters',
    withoutSpaces: 'Without spaces',
    paragraphs: 'Paragraphs',
    readingTime: 'Reading time',
    noTime: '0 min',
    underOneMinute: 'under 1 min',
    minutes: (minutes: number) => `${minutes} min`,
    hours: (hours: number, minutes: number) => `${hours} h ${minutes} min`,
  },
  goal: {
    title: 'Goal',
    none: 'How many words should this document have? Only you see your goal.',
    set: 'Set a goal',
    progress: 'Words of the goal',
    written: <Part>(words: Part, goal: number) => [words, ` of ${plural(goal, 'word')}.`] as const,
    left: (words: number) => `${words.toLocaleString('en')} to go.`,
    reached: 'Goal reached.',
    change: 'Change',
    remove: 'Remove',
    removed: 'Goal removed',
  },
  goalForm: {
    words: 'Words',
    set: 'Set',
  },
} as const
