import type { ReactNode } from 'react'
import { HomeLink } from '@/components/ui/home-link.tsx'
import { ThemeMenu } from '@/components/settings/theme-menu.tsx'

interface PageFrameProps {
  /** The id of the main part, which the skip link leads to. */
  readonly id: string
  readonly skipText: string
  readonly title: string
  /** Says in one sentence what the page is for. */
  readonly description: string
  readonly navigation?: ReactNode
  /** Controls beside the choice of the theme. */
  readonly controls?: ReactNode
  /** Stands below the description. */
  readonly introduction?: ReactNode
  readonly children: ReactNode
}

/** A page of figures: the way home, a title, and what is measured. */
export const PageFrame = ({
  id,
  skipText,
  title,
  description,
  navigation,
  controls,
  introduction,
  children,
}: PageFrameProps) => (
  <>
    <a href={`#${id}`} className="skip-link">
      {skipText}
    </a>
    <header className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-4 gap-y-2 px-4 pt-5 sm:px-6">
      <HomeLink />
      {navigation}
      <span className="ml-auto flex items-center gap-1">
        {controls}
        <ThemeMenu />
      </span>
    </header>
    <main
      id={id}
      tabIndex={-1}
      className="mx-auto flex max-w-6xl flex-col gap-6 px-4 pt-8 pb-24 outline-none sm:px-6"
    >
      <div>
        <h1 className="font-serif text-3xl font-semibold tracking-tight sm:text-4xl">{title}</h1>
        <p className="mt-2 max-w-3xl text-muted text-pretty">{description}</p>
        {introduction}
      </div>
      {children}
    </main>
  </>
)
