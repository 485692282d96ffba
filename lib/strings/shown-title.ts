import { commonStrings } from './common.ts'

/** The title to show, also for a document without one. */
export const shownTitle = (title: string): string => title.trim() || commonStrings.untitled
