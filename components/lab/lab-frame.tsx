import Link from 'next/link'
import type { ReactNode } from 'react'
import { SettingsButton } from '@/components/settings/settings-button.tsx'
import { Logo } from '@/components/ui/logo.tsx'
import { ThemeMenu } from '@/components/ui/theme-menu.tsx'
import { strings as common } from '@/lib/strings/common.ts'
import { strings } from '@/lib/strings/lab.ts'

const pages = [
  { path: '/lab', name: strings.keystrokes.title },
  { path: '/lab/dashboard', name: strings.dashboard.title },
] as const

interface LabFrameProps {
  readonly path: (typeof pages)[number]['path']
  readonly title: string
  /** Says what is measured here, in one sentence. */
  readonly description: string
  /** The steps to take here, in order. */
  readonly steps?: readonly string[]
  readonly children: ReactNode
}

/** The frame of both lab pages: says which one this is, and links to the other. */
export function LabFrame({ path, title, description, steps = [], children }: LabFrameProps) {
  return (
    <>
      <a href="#lab" className="skip-link">
        {strings.skip}
      </a>
      <header className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-4 gap-y-2 px-4 pt-5 sm:px-6">
        <Link
          href="/"
          prefetch
          className="flex items-center gap-2.5 rounded-lg font-serif text-xl font-semibold"
        >
          <Logo /> {common.product}
        </Link>
        <nav
          aria-label={strings.navigation}
          className="flex flex-1 items-center gap-1 text-sm max-sm:order-last max-sm:basis-full"
        >
          {pages.map((page) => (
            <Link
              key={page.path}
              href={page.path}
              aria-current={page.path === path ? 'page' : undefined}
              className="rounded-lg px-2.5 py-1.5 text-muted hover:bg-sunk hover:text-ink aria-[current=page]:bg-sunk aria-[current=page]:text-ink"
            >
              {page.name}
            </Link>
          ))}
        </nav>
        <span className="ml-auto flex items-center gap-1">
          <SettingsButton />
          <ThemeMenu />
        </span>
      </header>
      <main
        id="lab"
        tabIndex={-1}
        className="mx-auto flex max-w-6xl flex-col gap-6 px-4 pt-8 pb-24 outline-none sm:px-6"
      >
        <div>
          <h1 className="font-serif text-3xl font-semibold tracking-tight sm:text-4xl">{title}</h1>
          <p className="mt-2 max-w-3xl text-muted text-pretty">{description}</p>
          {steps.length > 0 && (
            <ol className="mt-4 flex max-w-3xl list-decimal flex-col gap-1.5 pl-5 text-pretty marker:text-muted">
              {steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          )}
        </div>
        {children}
      </main>
    </>
  )
}
