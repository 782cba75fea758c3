from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory", "0009_documents")]

    operations = [
        migrations.AddField(
            model_name="proposal",
            name="trust",
            field=models.SmallIntegerField(
                choices=[
                    (1, "untrusted: a document, a web page"),
                    (2, "written by an agent"),
                    (3, "said by a person"),
                ],
                default=3,
            ),
        ),
    ]
