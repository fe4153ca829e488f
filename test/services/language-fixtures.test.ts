import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtCommand } from '../../packages/cli/test-support/build.ts';

/*
 * `mock fixture`: the files for other languages as they are printed, in a project with tests of two kinds. One passes only
 * in a sandbox of its own, with a fault and a verification. The other fails, and its report says why.
 */

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'language-fixtures-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const orgchat = builtCommand().entry;

/** Writes the fixture and a test into a folder of their own. */
function createProject(framework: string, fixture: string, tests: Readonly<Record<string, string>>): string {
  const project = join(folder, framework);
  const text = execFileSync(process.execPath, [orgchat, 'mock', 'fixture', framework], { encoding: 'utf8' });
  for (const [name, content] of Object.entries({ [fixture]: text, ...tests })) {
    mkdirSync(join(project, name, '..'), { recursive: true });
    writeFileSync(join(project, name), content);
  }
  return project;
}

interface Run {
  readonly code: number;
  /** stdout, and stderr without the report of `mock exec`. */
  readonly output: string;
  readonly report: string;
}

/** Runs the tests of a project with a mock of their own. */
async function runTests(project: string, words: readonly string[]): Promise<Run> {
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', GOFLAGS: '-mod=mod' };
  const args = [orgchat, 'mock', 'exec', '--', ...words];
  const { code, stdout, stderr } = await promisify(execFile)(process.execPath, args, {
    cwd: project,
    env,
  }).then(
    (done) => ({ ...done, code: 0 }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  const [own = '', report = ''] = stderr.split('The command exited with');
  return { code, output: stdout + own, report };
}

/** Longer than the name of a sandbox may be, in characters that need two UTF-16 units. */
const longName = '𐐨'.repeat(210);

/** What the report says of a test that failed without its sandbox. */
const expectGone = ({ output }: Run): void => {
  expect(output).toMatch(/The requests of this test cannot be shown: .*410[\s\S]*SANDBOX_GONE/);
};

/** What the report of a failed test says about its two requests. */
const expectWhy = ({ output, report }: Run): void => {
  expect(output).toMatch(/Requests that the mock received:\n.*create-tags 200, applied/);
  expect(output).toMatch(/create-tags 400 INVALID_INPUT\n +\S.*change\.data\.color/);
  expect(report).toMatch(/INVALID_INPUT {2}in sandbox ".*[fF]ails/);
};

/** The names of parameters as they are. */
const keepUnicode = ['-o', 'disable_test_id_escaping_and_forfeit_all_rights_to_community_support=true'];

test('pytest: a sandbox per test, and why a request was refused in the report of a failed one', async () => {
  const project = createProject('pytest', 'conftest.py', {
    'test_tags.py': `
import json, pytest, urllib.error, urllib.request

def create(orgchat, operation_id, data):
    body = {"operationId": operation_id, "change": {"action": "create-tags", "data": data}}
    request = urllib.request.Request(orgchat.base_url + "/chat/changes", json.dumps(body).encode(),
        {"Authorization": "Bearer " + orgchat.api_key})
    try:
        with urllib.request.urlopen(request) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.code

ID = "6f1c7f6e-53d5-4f3a-9d5b-1d0a3a4c5b6e"

def test_repeats(orgchat):
    orgchat.arm("fail-response", status=500, action="create-tags")
    assert [create(orgchat, ID, {"name": "A", "color": "pink"}) for _ in range(2)] == [500, 200]
    orgchat.verify(action="create-tags", applied=True)

def test_fails(orgchat):
    assert create(orgchat, ID, {"name": "A", "color": "pink"}) == 200
    assert create(orgchat, ID, {"name": "A"}) == 200

@pytest.mark.parametrize("value", ["${longName}", "x" * 300])
def test_long_name(orgchat, value):
    assert create(orgchat, ID, {"name": "A", "color": "pink"}) == 200

def test_drops_its_sandbox(orgchat):
    orgchat.drop()

def test_loses_its_sandbox(orgchat):
    orgchat.drop()
    assert False

def test_loses_its_mock(orgchat):
    # Nothing listens there.
    orgchat.control_url = "http://127.0.0.1:9"
    assert False
`,
  });
  const run = await runTests(project, [
    'python3',
    '-m',
    'pytest',
    '-q',
    '-p',
    'no:cacheprovider',
    ...keepUnicode,
  ]);
  expect(run.output).toContain('3 failed, 4 passed');
  expect(run.output).not.toContain('INTERNALERROR');
  expect(run.output).toContain('cannot be shown: No mock server answers');
  expectGone(run);
  expect(run.code).toBe(1);
  expectWhy(run);
});

test('Go: a sandbox per test, and why a request was refused in the log of a failed one', async () => {
  const project = createProject('go', 'internal/orgchatmock/orgchatmock.go', {
    'go.mod': 'module example.com/tags\n\ngo 1.18\n',
    'tags_test.go': `package tags

import (
	"bytes"
	"net/http"
	"os"
	"testing"

	"example.com/tags/internal/orgchatmock"
)

func create(t *testing.T, mock *orgchatmock.Mock, data string) int {
	body := \`{"operationId": "6f1c7f6e-53d5-4f3a-9d5b-1d0a3a4c5b6e", "change": {"action": "create-tags", "data": \` + data + \`}}\`
	request, _ := http.NewRequest("POST", mock.BaseURL+"/chat/changes", bytes.NewReader([]byte(body)))
	request.Header.Set("Authorization", "Bearer "+mock.APIKey)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode
}

const valid = \`{"name": "A", "color": "pink"}\`

func TestRepeats(t *testing.T) {
	t.Parallel()
	mock := orgchatmock.New(t)
	mock.Arm(orgchatmock.JSON{"effect": "fail-response", "status": 500, "action": "create-tags"})
	if first, second := create(t, mock, valid), create(t, mock, valid); first != 500 || second != 200 {
		t.Fatal(first, second)
	}
	mock.Verify(orgchatmock.JSON{"action": "create-tags", "applied": true, "times": 1})
}

func TestFails(t *testing.T) {
	t.Parallel()
	mock := orgchatmock.New(t)
	if status := create(t, mock, valid); status != 200 {
		t.Fatal(status)
	}
	if status := create(t, mock, \`{"name": "A"}\`); status != 200 {
		t.Fatal(status)
	}
}

func TestLongName(t *testing.T) {
	t.Run("${longName}", func(t *testing.T) {
		create(t, orgchatmock.New(t), valid)
	})
}

func drop(mock *orgchatmock.Mock) {
	request, _ := http.NewRequest("DELETE", os.Getenv("ORGCHAT_MOCK_URL")+"/sandboxes/"+mock.ID, nil)
	response, err := http.DefaultClient.Do(request)
	if err == nil {
		response.Body.Close()
	}
}

func TestDropsItsSandbox(t *testing.T) {
	drop(orgchatmock.New(t))
}

func TestLosesItsSandbox(t *testing.T) {
	drop(orgchatmock.New(t))
	t.Fail()
}
`,
  });
  const run = await runTests(project, ['go', 'test', '-v', './...']);
  expect(run.output).toContain('--- PASS: TestRepeats');
  expect(run.output).toContain('--- PASS: TestLongName/');
  expect(run.output).toContain('--- PASS: TestDropsItsSandbox');
  expect(run.output).toContain('--- FAIL: TestFails');
  expectGone(run);
  expect(run.code).toBe(1);
  expectWhy(run);
});

/** Where the package junit5 of Debian has its jars. */
const jars = '/usr/share/java';
const isOfJunit = /^(?:junit-jupiter|junit-platform|opentest4j|apiguardian|picocli|univocity).*\.jar$/;

test('JUnit: a sandbox per test, and why a request was refused is printed for a failed one', async () => {
  const project = createProject('junit', 'orgchat/OrgchatMock.java', {
    'TagsTest.java': `
import static org.junit.jupiter.api.Assertions.assertEquals;
import java.net.URI;
import java.net.http.*;
import orgchat.OrgchatMock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TagsTest {
  @RegisterExtension final OrgchatMock mock = new OrgchatMock();

  int create(String data) throws Exception {
    var body = "{\\"operationId\\": \\"6f1c7f6e-53d5-4f3a-9d5b-1d0a3a4c5b6e\\", \\"change\\": {\\"action\\": \\"create-tags\\", \\"data\\": " + data + "}}";
    var request = HttpRequest.newBuilder(URI.create(mock.baseUrl() + "/chat/changes"))
        .header("Authorization", "Bearer " + mock.apiKey())
        .POST(HttpRequest.BodyPublishers.ofString(body)).build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  static final String VALID = "{\\"name\\": \\"A\\", \\"color\\": \\"pink\\"}";

  @Test void repeats() throws Exception {
    mock.arm("{\\"effect\\": \\"fail-response\\", \\"status\\": 500, \\"action\\": \\"create-tags\\"}");
    assertEquals(500, create(VALID));
    assertEquals(200, create(VALID));
    mock.verify("{\\"action\\": \\"create-tags\\", \\"applied\\": true, \\"times\\": 1}");
  }

  @Test void fails() throws Exception {
    assertEquals(200, create(VALID));
    assertEquals(200, create("{\\"name\\": \\"A\\"}"));
  }

  @Test void ${longName}() throws Exception {
    assertEquals(200, create(VALID));
  }

  void drop() throws Exception {
    var id = mock.baseUrl().replaceAll(".*/_sandbox/([^/]*)/.*", "$1");
    var uri = URI.create(System.getenv("ORGCHAT_MOCK_URL") + "/sandboxes/" + id);
    var response = HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).DELETE().build(), HttpResponse.BodyHandlers.discarding());
    assertEquals(200, response.statusCode());
  }

  @Test void dropsItsSandbox() throws Exception {
    drop();
  }

  @Test void losesItsSandbox() throws Exception {
    drop();
    throw new AssertionError("without a sandbox");
  }

  @Test void quotesNames() throws Exception {
    var quote = OrgchatMock.class.getDeclaredMethod("quote", String.class);
    quote.setAccessible(true);
    assertEquals("\\"says \\\\u0022hi\\\\u0022 \\\\u005c \\\\u000a\\"", quote.invoke(null, "says \\"hi\\" \\\\ \\n"));
  }
}
`,
    'SharedTest.java': `
import java.net.URI;
import java.net.http.*;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import orgchat.OrgchatMock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.*;

@Execution(ExecutionMode.CONCURRENT)
class SharedTest {
  @RegisterExtension static final OrgchatMock mock = new OrgchatMock();
  static final CyclicBarrier bothRun = new CyclicBarrier(2);

  void readOnce() throws Exception {
    bothRun.await(20, TimeUnit.SECONDS);
    var request = HttpRequest.newBuilder(URI.create(mock.baseUrl() + "/me"))
        .header("Authorization", "Bearer " + mock.apiKey()).build();
    HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.discarding());
    bothRun.await(20, TimeUnit.SECONDS);
    mock.verify("{\\"operation\\": \\"getAccount\\", \\"times\\": 1}");
  }

  @Test void one() throws Exception {
    readOnce();
  }

  @Test void other() throws Exception {
    readOnce();
  }
}
`,
  });
  const classpath = readdirSync(jars)
    .filter((name) => isOfJunit.test(name))
    .map((name) => join(jars, name))
    .join(':');
  execFileSync(
    'javac',
    ['-cp', classpath, '-d', 'classes', 'TagsTest.java', 'SharedTest.java', 'orgchat/OrgchatMock.java'],
    {
      cwd: project,
    },
  );
  const run = await runTests(project, [
    ...['java', '-cp', `${classpath}:classes`, 'org.junit.platform.console.ConsoleLauncher'],
    ...['--config', 'junit.jupiter.execution.parallel.enabled=true'],
    ...['--config', 'junit.jupiter.execution.parallel.config.strategy=fixed'],
    ...['--config', 'junit.jupiter.execution.parallel.config.fixed.parallelism=2'],
    ...[
      '--select-class',
      'TagsTest',
      '--select-class',
      'SharedTest',
      '--disable-banner',
      '--disable-ansi-colors',
    ],
  ]);
  expect(run.output).toMatch(/6 tests successful[\s\S]*2 tests failed/);
  expect(run.output).not.toMatch(/Suppressed/);
  expectGone(run);
  expect(run.code).toBe(1);
  expectWhy(run);
});
