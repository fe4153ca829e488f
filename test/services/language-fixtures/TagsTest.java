import static org.junit.jupiter.api.Assertions.assertEquals;
import java.net.URI;
import java.net.http.*;
import orgchat.OrgchatMock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TagsTest {
  @RegisterExtension final OrgchatMock mock = new OrgchatMock();

  int create(String data) throws Exception {
    var body = "{\"operationId\": \"6f1c7f6e-53d5-4f3a-9d5b-1d0a3a4c5b6e\", \"change\": {\"action\": \"create-tags\", \"data\": " + data + "}}";
    var request = HttpRequest.newBuilder(URI.create(mock.baseUrl() + "/chat/changes"))
        .header("Authorization", "Bearer " + mock.apiKey())
        .POST(HttpRequest.BodyPublishers.ofString(body)).build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  static final String VALID = "{\"name\": \"A\", \"color\": \"pink\"}";

  @Test void repeats() throws Exception {
    mock.arm("{\"effect\": \"fail-response\", \"status\": 500, \"action\": \"create-tags\"}");
    assertEquals(500, create(VALID));
    assertEquals(200, create(VALID));
    mock.verify("{\"action\": \"create-tags\", \"applied\": true, \"times\": 1}");
  }

  @Test void fails() throws Exception {
    assertEquals(200, create(VALID));
    assertEquals(200, create("{\"name\": \"A\"}"));
  }

  @Test void LONG_NAME() throws Exception {
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
    assertEquals("\"says \\u0022hi\\u0022 \\u005c \\u000a\"", quote.invoke(null, "says \"hi\" \\ \n"));
  }
}
