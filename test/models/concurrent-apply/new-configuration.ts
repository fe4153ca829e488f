const numbered = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, number) => `${name} ${number}`);

/**
 * A file with a configuration of about `size` records that the demo organization does not have. Records refer to each other, two
 * rich menus in a circle, and a link and a scenario too.
 */
export function newConfiguration(size: number): string {
  const tags = numbered('Tag', Math.ceil(size / 8));
  const templates = numbered('Template', Math.ceil((size * 5) / 8));
  const scenarios = numbered('Scenario', Math.ceil(size / 8));
  const links = numbered('Link', Math.ceil(size / 8));
  const menus = ['Menu one', 'Menu two'];
  const config = {
    version: 1,
    tags: tags.map((name) => ({ name, color: 'blue' })),
    templates: templates.map((name) => ({ name, text: `The text of ${name}` })),
    scenarios: scenarios.map((name, index) => ({
      name,
      accountId: null,
      trigger: 'tag',
      triggerTagId: tags[index % tags.length],
      active: true,
      steps: [
        {
          delayValue: 1,
          delayUnit: 'days',
          sendTime: '09:30',
          text: 'Good morning.',
          content: [cardWith(`{link:${links[index % links.length]}}`)],
        },
      ],
    })),
    links: links.map((name, index) => ({
      name,
      url: `https://example.com/${index}`,
      tagId: tags[index % tags.length],
      scenarioId: index === 0 ? scenarios[0] : null,
    })),
    'rich-menus': menus.map((name, index) => ({
      accountId: 'Demo shop',
      name,
      chatBarText: 'Menu',
      size: 'large',
      template: 'large-1',
      areas: [
        {
          x: 0,
          y: 0,
          width: 2500,
          height: 1686,
          action: { type: 'switch', menuId: menus[1 - index], label: 'Other' },
        },
      ],
    })),
  };
  return JSON.stringify(config, null, 2);
}

function cardWith(uri: string): object {
  const button = { label: 'Open', action: { type: 'uri', uri } };
  return {
    type: 'card',
    altText: 'A card',
    color: null,
    cards: [{ imageId: null, title: 'Title', text: 'Text', buttons: [button] }],
  };
}
