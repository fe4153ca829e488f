import { describe, expect, it } from 'vitest';
import { createMock } from '../../src/index.ts';
import { useServer } from '../../test-support/control-server.ts';

const { control, server } = useServer();

describe('the control API', () => {
  it('reports that it is ready, and describes itself', async () => {
    expect(await control('GET', '/health')).toEqual({ status: 200, body: { status: 'ready' } });
    const about = (await (await fetch(`${server.url}/`)).json()) as { tryThis: string };
    expect(about).toMatchObject({ baseUrl: server.baseUrl, controlUrl: server.controlUrl });
    expect(about).toMatchObject({ writeKey: 'demo-write-key' });
    expect(about.tryThis).toBe(`curl -H 'Authorization: Bearer demo-write-key' ${server.baseUrl}/me`);
    const seed = { organizations: [{ id: 'o', keys: [{ key: 'k', name: 'K', scope: 'read' as const }] }] };
    const own = await (await createMock({ seed }).fetch('http://any.host/')).json();
    expect(own).toMatchObject({
      keys: [{ name: 'K' }],
      writeKey: null,
      tryThis: expect.stringContaining('Bearer KEY'),
    });
    const document = await fetch(`${server.url}/openapi.yaml`);
    expect(await document.text()).toContain('openapi: 3.1.0');
    expect(document.headers.get('x-request-id')).toBeTruthy();
  });

  it('[1.4, 10.1] serves the API only below the version prefix', async () => {
    const headers = { Authorization: 'Bearer demo-write-key' };
    expect((await fetch(`${server.url}/api/v1/me`, { headers })).status).toBe(200);
    const elsewhere = await fetch(`${server.url}/me`, { headers });
    expect(elsewhere.status).toBe(404);
    expect(await elsewhere.json()).toMatchObject({ error: 'NOT_FOUND' });
  });

  it('answers 404 and 405 with the error body', async () => {
    expect(await control('GET', '/nothing')).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
    expect(await control('DELETE', '/reset')).toMatchObject({
      status: 405,
      body: { error: 'METHOD_NOT_ALLOWED' },
    });
    expect((await control('GET', '/sites/nowhere/keywords')).status).toBe(404);
  });
});
