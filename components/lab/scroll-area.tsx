import type { ReactNode } from 'react'

/** Holds a table that is wider than its page: the keyboard can reach it and scroll it. */
export const ScrollArea = ({ name, children }: { name: string; children: ReactNode }) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached
  <section aria-label={name} tabIndex={0} className="overflow-x-auto rounded-lg">
    {children}
  </section>
)
