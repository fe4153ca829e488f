/** A call of a command, and what a terminal shows. `…` is what is left out. */
export interface CommandOutput {
  readonly line: string;
  readonly output: string;
}

/**
 * What commands print, by their words. `test/repository/docs/command-outputs.test.ts` runs them in this order, with the demo
 * organization; those of `config` with a file that has a new tag, and another color of the tag VIP.
 */
export const commandOutputs: Readonly<Record<string, CommandOutput>> = {
  'config export': {
    line: 'orgchat config export -o orgchat.yaml',
    output: `file                  orgchat.yaml
result                created
records.tags          3
records.templates     2
…`,
  },
  'config validate': {
    line: 'orgchat config validate orgchat.yaml',
    output: `file       orgchat.yaml
valid      true
records    17
resources  ["tags","templates",…]`,
  },
  'config diff': {
    line: 'orgchat config diff orgchat.yaml',
    output: `tags
  + Fresh
      name: "Fresh"
      color: "blue"
  ~ VIP
      color: "pink" → "green"   (changed in the file)

1 to create, 1 to update, 0 to delete, 15 unchanged.`,
  },
  'config plan': {
    line: 'orgchat config plan orgchat.yaml -o plan.json',
    output: `Plan saved to plan.json. Apply it: orgchat config apply plan.json
tags
  + Fresh
      name: "Fresh"
      color: "blue"
  ~ VIP
      color: "pink" → "green"   (changed in the file)

1 to create, 1 to update, 0 to delete, 15 unchanged.`,
  },
  'config apply': {
    line: 'orgchat config apply plan.json',
    output: `tags
  + Fresh
      name: "Fresh"
      color: "blue"
  ~ VIP
      color: "pink" → "green"   (changed in the file)

1 to create, 1 to update, 0 to delete, 15 unchanged.
configuration: 2 of 2
2 of 2 steps applied; 15 unchanged.`,
  },
  account: {
    line: 'orgchat account',
    output: `organizationId     org_demo
key.name           Demo write key
key.scope          write
plan               business
credits.allowance  1000
credits.used       120
credits.remaining  880
credits.resetsAt   …
api.used           …
api.limit          100000
api.perMinute      60`,
  },
  'accounts list': {
    line: 'orgchat accounts list',
    output: `NAME        ID                                    CREATED AT
Demo salon  1a26b7de-e6fc-52c8-a1e7-69ddab4fc79f  2025-01-01T00:01:00.000Z
Demo shop   8d9001d3-2c6a-503d-a592-1a77115050f3  2025-01-01T00:00:00.000Z`,
  },
  'tags list': {
    line: 'orgchat tags list',
    output: `NAME        COLOR    ID                                    UPDATED AT
Fresh       blue     …
Trial       neutral  79891e98-0747-5fbd-a1e6-90297394efe7  2025-01-01T00:02:00.000Z
Newsletter  blue     dd6f465f-6810-592c-a1cf-36d8272b2181  2025-01-01T00:01:00.000Z
VIP         green    f9505a73-9a8f-58e8-a194-2c3f973d4bbb  …`,
  },
  'conversations list': {
    line: 'orgchat conversations list',
    output: `DISPLAY NAME  STATUS       LAST MESSAGE TEXT                 USER ID …
Emi Sato      resolved     It was our pleasure.              U70a62c61…
Dana Novak    unread       Is the spring course still open?  U2c9e0a25…
…`,
  },
  'keywords add': {
    line: 'orgchat keywords add demo-site summer sale',
    output: `added    ["summer","sale"]
skipped  []`,
  },
};

/** The beginning of a file that a command writes, by its words. */
export const writtenFiles: Readonly<Record<string, { readonly name: string; readonly beginning: string }>> = {
  'config export': {
    name: 'orgchat.yaml',
    beginning: `version: 1

tags:
  - id: f9505a73-9a8f-58e8-a194-2c3f973d4bbb
    name: VIP
    color: pink
  - id: dd6f465f-6810-592c-a1cf-36d8272b2181
    name: Newsletter
    color: blue
`,
  },
};
