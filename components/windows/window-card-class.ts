/** Lies over the text at the foot of the window, and never moves it. */
export const windowCardClass =
  'fixed inset-x-3 bottom-3 z-30 mx-auto flex max-w-xl flex-wrap items-center gap-x-3 gap-y-2 rounded-xl border border-line bg-raised px-4 py-3 text-sm shadow-float'
